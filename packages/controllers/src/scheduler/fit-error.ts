import type { Misfit } from './filters.ts';

/** Why no node does, counted by reason (scheduler framework FitError, 1.36). */
export function fitErrorText(misfits: readonly Misfit[], postFilter: string | undefined): string {
  if (misfits.length === 0) return 'no nodes available to schedule pods';
  const counts = new Map<string, number>();
  for (const { reasons } of misfits) for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return `${head(misfits.length)} ${countsText(counts)}.${postFilter === undefined ? '' : ` ${postFilter}`}`;
}

/** The same where the nodes were not even asked, since none can do. */
export function unfitText(nodeCount: number, problem: string): string {
  const notHelpful = new Map([['Preemption is not helpful for scheduling', nodeCount]]);
  return `${head(nodeCount)} ${problem}. preemption: ${head(nodeCount)} ${countsText(notHelpful)}.`;
}

/** Why nothing would be gained by deleting pods. */
export function noPreemptionText(misfits: readonly Misfit[]): string {
  const counts = new Map<string, number>();
  for (const { resolvable } of misfits) {
    const reason = resolvable
      ? 'No preemption victims found for incoming pod'
      : 'Preemption is not helpful for scheduling';
    counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return `preemption: ${head(misfits.length)} ${countsText(counts)}.`;
}

function head(count: number): string {
  return `0/${count} nodes are available:`;
}

function countsText(counts: ReadonlyMap<string, number>): string {
  return [...counts]
    .map(([reason, count]) => `${count} ${reason}`)
    .sort()
    .join(', ');
}
