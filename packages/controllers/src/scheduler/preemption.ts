import { loopTurns } from '@kubechain/apimachinery';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { PodFilters, type FilterView, type Misfit } from './filters.ts';
import type { NodeInfo } from './node-info.ts';
import { priorityOf } from './priority.ts';
import { VictimBudgets, type KnownBudgets } from './victim-budgets.ts';

/** A node, and the pods that must go from it. */
export interface Preemption {
  readonly node: NodeInfo;
  /** The most important ones first. */
  readonly victims: readonly Pod[];
  /** How many of them budgets do not let go. */
  readonly violations: number;
}

export interface FoundPreemption {
  /** Undefined where nothing is gained. */
  readonly preemption: Preemption | undefined;
  /** Why no pods went, for each node that was asked or need not be. */
  readonly refusals: readonly (readonly string[])[];
}

export interface PreemptionOptions {
  readonly filters: PodFilters;
  readonly view: FilterView;
  readonly budgets: KnownBudgets;
  /** Why a node does not do, also with the pods for which room is being made there. */
  readonly misfit: (info: NodeInfo, filters: PodFilters) => Misfit | undefined;
  /** Numbers from 0 up to, not including, 1: where the search begins. */
  readonly random: () => number;
}

/** The reference's minCandidateNodesPercentage and minCandidateNodesAbsolute: so many are enough to choose among. */
const enough = { part: 0.1, least: 100 };

const reasons = {
  noVictims: 'No preemption victims found for incoming pod',
  notHelpful: 'Preemption is not helpful for scheduling',
} as const;

/**
 * Where a pod could be if pods of lower priority went: the node where budgets are broken least, then the one whose most
 * important victim is least important, then the one with the least importance in sum, the fewest, those that have run
 * for the shortest time. Where that does not help: why, for each node. Others have the thread between two tries, so
 * what is found may be of a moment ago. Source: defaultpreemption and preemption (1.36).
 */
export async function findPreemption(
  pod: Pod,
  misfits: ReadonlyMap<NodeInfo, Misfit>,
  options: PreemptionOptions,
): Promise<FoundPreemption> {
  const nodes = [...misfits].filter(([, { resolvable }]) => resolvable).map(([node]) => node);
  const wanted = Math.max(enough.least, Math.floor(nodes.length * enough.part));
  const start = Math.floor(options.random() * nodes.length);
  const budgets = new VictimBudgets(options.budgets);
  const candidates: Preemption[] = [];
  const refusals: (readonly string[])[] = [];
  let unbroken = 0;
  for (let i = 0; i < nodes.length && (unbroken === 0 || candidates.length < wanted); i++) {
    const node = nodes[(start + i) % nodes.length]!;
    const found = await victimsOf(pod, node, { ...options, protectedOf: (pods) => budgets.protectedOf(pods) });
    if ('reasons' in found) refusals.push(found.reasons);
    else {
      candidates.push({ node, ...found });
      if (found.violations === 0) unbroken++;
    }
  }
  const [preemption] = candidates.toSorted(
    (a, b) =>
      a.violations - b.violations ||
      highest(a) - highest(b) ||
      sum(a) - sum(b) ||
      a.victims.length - b.victims.length ||
      earliest(b).localeCompare(earliest(a)),
  );
  for (let i = nodes.length; i < misfits.size; i++) refusals.push([reasons.notHelpful]);
  return { preemption, refusals };
}

/**
 * Why a pod may not make others go: it says so itself, or those that it made go are still on their way.
 * (PodEligibleToPreemptOthers; the sentence's end as there.)
 */
export function whyNotPreempting(pod: Pod, misfits: ReadonlyMap<NodeInfo, Misfit>): string | undefined {
  if (pod.spec?.preemptionPolicy === 'Never') return 'not eligible due to preemptionPolicy=Never.';
  const nominated = pod.status?.nominatedNodeName ?? '';
  if (nominated === '') return undefined;
  const [node, misfit] = [...misfits].find(([{ name }]) => name === nominated) ?? [];
  if (node === undefined || misfit?.resolvable === false) return undefined;
  for (const { pod: other } of node.pods)
    if (priorityOf(other) < priorityOf(pod) && isMakingRoom(other))
      return 'not eligible due to a terminating pod on the nominated node.';
  return undefined;
}

function isMakingRoom({ metadata, status }: Pod): boolean {
  const target = status?.conditions?.find(({ type }) => type === 'DisruptionTarget');
  return (
    metadata?.deletionTimestamp !== undefined && target?.status === 'True' && target.reason === 'PreemptionByScheduler'
  );
}

/**
 * As few as possible: all that are less important go, then those that budgets protect come back as long as it fits,
 * then the others, the most important ones first. Or why the node would not do even without them.
 */
async function victimsOf(
  pod: Pod,
  node: NodeInfo,
  options: PreemptionOptions & { readonly protectedOf: VictimBudgets['protectedOf'] },
): Promise<
  { readonly victims: readonly Pod[]; readonly violations: number } | { readonly reasons: readonly string[] }
> {
  const lower = Array.from(node.pods, ({ pod: other }) => other)
    .filter((other) => priorityOf(other) < priorityOf(pod))
    .toSorted((a, b) => priorityOf(b) - priorityOf(a) || startedAt(a).localeCompare(startedAt(b)));
  if (lower.length === 0) return { reasons: [reasons.noVictims] };
  const gone = new Set(lower.map(uidOf));
  const problem = async (): Promise<Misfit | undefined> => {
    const turn = loopTurns.next();
    if (turn !== undefined) await turn;
    return misfitWithout(pod, node, { ...options, gone });
  };
  const without = await problem();
  if (without !== undefined) return { reasons: without.reasons };
  const protectedOnes = options.protectedOf(lower);
  const comeBack = async (others: readonly Pod[]): Promise<void> => {
    for (const other of others) {
      gone.delete(uidOf(other));
      if ((await problem()) !== undefined) gone.add(uidOf(other));
    }
  };
  await comeBack(lower.filter((other) => protectedOnes.has(other)));
  await comeBack(lower.filter((other) => !protectedOnes.has(other)));
  const victims = lower.filter((other) => gone.has(uidOf(other)));
  return { victims, violations: victims.filter((victim) => protectedOnes.has(victim)).length };
}

async function misfitWithout(
  pod: Pod,
  node: NodeInfo,
  { filters, gone, misfit, view }: PreemptionOptions & { readonly gone: ReadonlySet<string> },
): Promise<Misfit | undefined> {
  const left = node.without(gone);
  // Where only the node's own pods count, what was found for all nodes still holds.
  if (filters.isLocal) return misfit(left, filters);
  const nodes = view.nodes.map((info) => (info === node ? left : info));
  return misfit(left, await PodFilters.of(pod, { ...view, nodes }));
}

const uidOf = ({ metadata }: Pod): string => metadata?.uid ?? '';
const startedAt = ({ metadata, status }: Pod): string => status?.startTime ?? metadata?.creationTimestamp ?? '';
const highest = ({ victims }: Preemption): number => Math.max(...victims.map(priorityOf));
/** Of all alike weights that are not negative: few of low priority are better than many. */
const sum = ({ victims }: Preemption): number =>
  victims.reduce((total, victim) => total + priorityOf(victim) + 2 ** 31, 0);
/** When the first of the most important ones began to run. */
function earliest(preemption: Preemption): string {
  const top = highest(preemption);
  return preemption.victims
    .filter((victim) => priorityOf(victim) === top)
    .map(startedAt)
    .reduce((first, time) => (time < first ? time : first), '\uffff');
}
