import type { Namespace } from '@kubechain/apimachinery/types/core/v1';

/** Every namespace carries its own name under this label, so that selectors can name it. */
export const metadataNameLabel = 'kubernetes.io/metadata.name';

/**
 * Defaults of namespaces; one whose name is still to be generated gets its label when it has one (pkg/apis/core/v1,
 * 1.36).
 */
export function defaultNamespace(namespace: Namespace): void {
  const name = namespace.metadata?.name;
  if (namespace.metadata !== undefined && name) (namespace.metadata.labels ??= {})[metadataNameLabel] = name;
  (namespace.status ??= {}).phase ||= 'Active';
}
