import type { Pod } from '@kubechain/apimachinery/types/core/v1';

/**
 * What a pod is told whose volume is in use on another node, by whom: pods of other namespaces are not named
 * (reconciler.reportMultiAttachError, 1.36).
 */
export function multiAttachMessage(pod: Pod, volume: string, others: readonly Pod[]): string {
  const said = (text: string): string => `Multi-Attach error for volume ${JSON.stringify(volume)} ${text}`;
  if (others.length === 0)
    return said("Volume is already exclusively attached to one node and can't be attached to another");
  const own = others.filter(({ metadata }) => metadata?.namespace === pod.metadata?.namespace);
  const foreign = others.length - own.length;
  if (own.length === 0) return said(`Volume is already used by ${foreign} pod(s) in different namespaces`);
  const names = own.map(({ metadata }) => metadata?.name ?? '').join(', ');
  const rest = foreign === 0 ? '' : ` and ${foreign} pod(s) in different namespaces`;
  return said(`Volume is already used by pod(s) ${names}${rest}`);
}
