import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { PodFilters, type FilterView, type Misfit } from './filters.ts';
import type { NodeInfo } from './node-info.ts';
import { priorityOf } from './priority.ts';

/** A node, and the pods that must go from it. */
export interface Preemption {
  readonly node: NodeInfo;
  readonly victims: readonly Pod[];
}

export interface PreemptionOptions {
  readonly filters: PodFilters;
  readonly view: FilterView;
  /** Numbers from 0 up to, not including, 1: where the search begins. */
  readonly random: () => number;
}

/** The reference's minCandidateNodesPercentage and minCandidateNodesAbsolute: so many are enough to choose among. */
const enough = { part: 0.1, least: 100 };

/**
 * Where a pod could be if pods of lower priority went: the node whose most important victim is least important, then
 * the one with the least importance in sum, then the fewest. Undefined where that does not help.
 * Source: defaultpreemption (1.36), without disruption budgets.
 */
export function findPreemption(
  pod: Pod,
  misfits: ReadonlyMap<NodeInfo, Misfit>,
  options: PreemptionOptions,
): Preemption | undefined {
  if (pod.spec?.preemptionPolicy === 'Never') return undefined;
  const nodes = [...misfits].filter(([, { resolvable }]) => resolvable).map(([node]) => node);
  const wanted = Math.max(enough.least, Math.floor(nodes.length * enough.part));
  const start = Math.floor(options.random() * nodes.length);
  const candidates: Preemption[] = [];
  for (let i = 0; i < nodes.length && candidates.length < wanted; i++) {
    const node = nodes[(start + i) % nodes.length]!;
    const victims = victimsOf(pod, node, options);
    if (victims !== undefined) candidates.push({ node, victims });
  }
  return candidates.toSorted(
    (a, b) => highest(a) - highest(b) || sum(a) - sum(b) || a.victims.length - b.victims.length,
  )[0];
}

/** As few as possible: all that are less important go, then the most important ones come back as long as it fits. */
function victimsOf(pod: Pod, node: NodeInfo, options: PreemptionOptions): readonly Pod[] | undefined {
  const lower = Array.from(node.pods, ({ pod: other }) => other)
    .filter((other) => priorityOf(other) < priorityOf(pod))
    .toSorted((a, b) => priorityOf(b) - priorityOf(a) || startedAt(a).localeCompare(startedAt(b)));
  if (lower.length === 0) return undefined;
  const gone = new Set(lower.map(uidOf));
  const fits = (): boolean => fitsWithout(pod, node, { ...options, gone });
  if (!fits()) return undefined;
  for (const other of lower) {
    gone.delete(uidOf(other));
    if (!fits()) gone.add(uidOf(other));
  }
  return lower.filter((other) => gone.has(uidOf(other)));
}

function fitsWithout(
  pod: Pod,
  node: NodeInfo,
  { filters, gone, view }: PreemptionOptions & { readonly gone: ReadonlySet<string> },
): boolean {
  const left = node.without(gone);
  // Where only the node's own pods count, what was found for all nodes still holds.
  if (filters.isLocal) return filters.misfit(left) === undefined;
  const nodes = view.nodes.map((info) => (info === node ? left : info));
  return new PodFilters(pod, { ...view, nodes }).misfit(left) === undefined;
}

const uidOf = ({ metadata }: Pod): string => metadata?.uid ?? '';
const startedAt = ({ metadata, status }: Pod): string => status?.startTime ?? metadata?.creationTimestamp ?? '';
const highest = ({ victims }: Preemption): number => Math.max(...victims.map(priorityOf));
const sum = ({ victims }: Preemption): number => victims.reduce((total, victim) => total + priorityOf(victim), 0);
