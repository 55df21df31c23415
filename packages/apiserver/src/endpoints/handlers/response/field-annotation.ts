import type { GroupVersionKind } from '@kubechain/apimachinery';

/**
 * The annotation that stands for a field which the kind lost when it left beta (pkg/apis/apps/v1/conversion.go,
 * 1.36). The reference makes it when it encodes an object, so that tables and metadata, which it takes from the
 * internal type, do not have it.
 */
export function fieldAnnotationOf({ group, kind }: GroupVersionKind): string | undefined {
  return group === 'apps' && kind === 'DaemonSet' ? 'deprecated.daemonset.template.generation' : undefined;
}
