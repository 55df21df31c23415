import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { PodFilters, type FilterView, type Misfit } from './filters.ts';
import type { NodeInfo } from './node-info.ts';

/** A node, and the pods that must go from it. */
export interface Preemption {
  readonly node: NodeInfo;
  readonly victims: readonly Pod[];
}

export const priorityOf = ({ spec }: Pod): number => spec?.priority ?? 0;

/**
 * Where a pod could be if pods of lower priority went: the node whose most important victim is least important, then
 * the one with the least importance in sum, then the fewest. Undefined where that does not help.
 * Source: defaultpreemption (1.36), without disruption budgets.
 */
export function findPreemption(
  pod: Pod,
  view: FilterView,
  misfits: ReadonlyMap<NodeInfo, Misfit>,
): Preemption | undefined {
  if (pod.spec?.preemptionPolicy === 'Never') return undefined;
  const candidates: Preemption[] = [];
  for (const [node, { resolvable }] of misfits) {
    const victims = resolvable ? victimsOf(pod, view, node) : undefined;
    if (victims !== undefined) candidates.push({ node, victims });
  }
  return candidates.toSorted(
    (a, b) => highest(a) - highest(b) || sum(a) - sum(b) || a.victims.length - b.victims.length,
  )[0];
}

/** As few as possible: all that are less important go, then the most important ones come back as long as it fits. */
function victimsOf(pod: Pod, view: FilterView, node: NodeInfo): readonly Pod[] | undefined {
  const lower = [...node.pods]
    .map(({ pod: other }) => other)
    .filter((other) => priorityOf(other) < priorityOf(pod))
    .toSorted((a, b) => priorityOf(b) - priorityOf(a) || startedAt(a).localeCompare(startedAt(b)));
  if (lower.length === 0) return undefined;
  const gone = new Set(lower.map(uidOf));
  if (!fits(pod, view, { node, gone })) return undefined;
  for (const other of lower) {
    gone.delete(uidOf(other));
    if (!fits(pod, view, { node, gone })) gone.add(uidOf(other));
  }
  return lower.filter((other) => gone.has(uidOf(other)));
}

function fits(
  pod: Pod,
  view: FilterView,
  { node, gone }: { readonly node: NodeInfo; readonly gone: ReadonlySet<string> },
): boolean {
  const left = node.without(gone);
  const nodes = [...view.nodes].map((info) => (info === node ? left : info));
  return new PodFilters(pod, { ...view, nodes }).misfit(left) === undefined;
}

const uidOf = ({ metadata }: Pod): string => metadata?.uid ?? '';
const startedAt = ({ metadata, status }: Pod): string => status?.startTime ?? metadata?.creationTimestamp ?? '';
const highest = ({ victims }: Preemption): number => Math.max(...victims.map(priorityOf));
const sum = ({ victims }: Preemption): number => victims.reduce((total, victim) => total + priorityOf(victim), 0);
