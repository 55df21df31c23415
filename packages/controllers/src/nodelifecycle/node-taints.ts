import type { Node, Taint } from '@kubechain/apimachinery/types/core/v1';

type Key = Pick<Taint, 'key' | 'effect'>;

export const unreachable = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute' } as const;
export const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' } as const;
const unschedulable = 'node.kubernetes.io/unschedulable';

/** By condition and its status: the taint that keeps pods away. */
const byCondition: ReadonlyMap<string, string> = new Map([
  ['Ready False', notReady.key],
  ['Ready Unknown', unreachable.key],
  ['MemoryPressure True', 'node.kubernetes.io/memory-pressure'],
  ['DiskPressure True', 'node.kubernetes.io/disk-pressure'],
  ['NetworkUnavailable True', 'node.kubernetes.io/network-unavailable'],
  ['PIDPressure True', 'node.kubernetes.io/pid-pressure'],
]);
const ours: ReadonlySet<string> = new Set([...byCondition.values(), unschedulable]);

/** What is to be done to a node's NoSchedule taints so that they say what its conditions do. */
export function noScheduleChanges({ spec, status }: Node): {
  readonly add: readonly Key[];
  readonly remove: readonly Key[];
} {
  const effect = 'NoSchedule';
  const wanted = (status?.conditions ?? [])
    .map((condition) => byCondition.get(`${condition.type} ${condition.status}`))
    .concat(spec?.unschedulable === true ? unschedulable : undefined)
    .filter((key) => key !== undefined)
    .map((key): Key => ({ key, effect }));
  const known = (spec?.taints ?? []).filter((taint) => taint.effect === effect && ours.has(taint.key));
  return {
    add: wanted.filter((taint) => !hasTaint(known, taint)),
    remove: known.filter((taint) => !hasTaint(wanted, taint)).map(({ key }): Key => ({ key, effect })),
  };
}

export function hasTaint(taints: readonly Key[] | undefined, { effect, key }: Key): boolean {
  return taints?.some((taint) => taint.key === key && taint.effect === effect) ?? false;
}
