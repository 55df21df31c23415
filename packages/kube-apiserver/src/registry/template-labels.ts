import type { KubeObject } from '@kubechain/apimachinery';

/**
 * An object without labels has its pod template's, also those that were made for it, and when only its status was to
 * change: kube-apiserver reads back what it has stored, and defaults give it them.
 */
export function takeTemplateLabels(object: KubeObject): void {
  const { template } = (object['spec'] ?? {}) as {
    readonly template?: { readonly metadata?: { readonly labels?: Readonly<Record<string, string>> } };
  };
  const labels = template?.metadata?.labels;
  if (labels !== undefined && object.metadata !== undefined && Object.keys(object.metadata.labels ?? {}).length === 0)
    object.metadata.labels = { ...labels };
}
