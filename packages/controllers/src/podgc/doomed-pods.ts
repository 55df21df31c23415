import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import { isPodEnded } from '../pods/pod-state.ts';

/** Ended pods beyond so many, evicted ones and the oldest first; 0 keeps all (gcTerminated, 1.36). */
export function surplusEnded(pods: readonly Pod[], threshold: number): readonly Pod[] {
  if (threshold <= 0) return [];
  const ended = pods.filter(isPodEnded);
  return ended.toSorted(byEvictionAndAge).slice(0, Math.max(0, ended.length - threshold));
}

/** Pods that are to go and are on a node that somebody has declared lost (gcTerminating, 1.36). */
export function onLostNodes(pods: readonly Pod[], nodeOf: (name: string) => Node | undefined): readonly Pod[] {
  return pods.filter(({ metadata, spec }) => {
    const node = metadata?.deletionTimestamp === undefined ? undefined : nodeOf(spec?.nodeName ?? '');
    if (node === undefined) return false;
    const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True';
    return !ready && node.spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/out-of-service') === true;
  });
}

/** Pods that are to go and were never on a node: no kubelet will end them (gcUnscheduledTerminating, 1.36). */
export function neverScheduled(pods: readonly Pod[]): readonly Pod[] {
  return pods.filter(
    ({ metadata, spec }) => metadata?.deletionTimestamp !== undefined && (spec?.nodeName ?? '') === '',
  );
}

/** Names of nodes that pods are on and that are not there. */
export function missingNodes(pods: readonly Pod[], isThere: (name: string) => boolean): ReadonlySet<string> {
  return new Set(pods.map(({ spec }) => spec?.nodeName ?? '').filter((name) => name !== '' && !isThere(name)));
}

/**
 * So many of the pods at the most, namespaces in turns; of each from anywhere on, so that those that stay (finalizers
 * hold them) do not keep others of their namespace for ever.
 */
export function shareOf(pods: readonly Pod[], most: number, random: () => number): readonly Pod[] {
  if (pods.length <= most) return pods;
  const byNamespace = Map.groupBy(pods, ({ metadata }) => metadata?.namespace ?? '');
  let waiting = [...byNamespace.values()].map((group) => ({ group, from: Math.floor(random() * group.length) }));
  const share: Pod[] = [];
  for (let turn = 0; share.length < most; turn++) {
    waiting = waiting.filter(({ group }) => turn < group.length);
    for (const { from, group } of waiting) if (share.length < most) share.push(group[(from + turn) % group.length]!);
  }
  return share;
}

function byEvictionAndAge(a: Pod, b: Pod): number {
  return (
    Number(isEvicted(b)) - Number(isEvicted(a)) ||
    createdMs(a) - createdMs(b) ||
    ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1)
  );
}

function isEvicted({ status }: Pod): boolean {
  return status?.phase === 'Failed' && status.reason === 'Evicted';
}

function createdMs({ metadata }: Pod): number {
  return typeof metadata?.creationTimestamp === 'string' ? Date.parse(metadata.creationTimestamp) : 0;
}
