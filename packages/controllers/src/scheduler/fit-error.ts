import type { Misfit } from './filters.ts';

/** What the plugin for dynamic resources says where no node does: it speaks up for pods without any, too. */
export const devicesTexts = {
  none: 'no new claims to deallocate',
  freed: 'deallocation of ResourceClaim completed',
  lacking: 'still not schedulable',
} as const;

/** What was tried to make room. */
export interface PostFilterTexts {
  readonly devices: (typeof devicesTexts)[keyof typeof devicesTexts];
  /** Why nobody goes. */
  readonly preemption: string;
}

/** Why no node does, counted by reason, and why nobody goes (scheduler framework FitError, 1.36). */
export function fitErrorText(misfits: readonly Misfit[], tried: PostFilterTexts | undefined): string {
  if (misfits.length === 0) return 'no nodes available to schedule pods';
  const counts = new Map<string, number>();
  for (const { reasons } of misfits) for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const text = `${head(misfits.length)} ${countsText(counts)}.`;
  return tried === undefined ? text : `${text} ${tried.devices}, preemption: ${tried.preemption}`;
}

/**
 * The same where the nodes were not even asked, since none can do. The end is the reference's: its plugin for dynamic
 * resources finds nothing of its own then, and says so.
 */
export function unfitText(nodeCount: number, problem: string): string {
  return `${head(nodeCount)} ${problem}. not found`;
}

/** The same where claims for devices are the reason. */
export function unfitDevicesText(nodeCount: number, problem: string): string {
  const notHelpful = `${nodeCount} Preemption is not helpful for scheduling`;
  return `${head(nodeCount)} ${problem}. ${devicesTexts.none}, preemption: ${head(nodeCount)} ${notHelpful}.`;
}

/** Why nothing would be gained by deleting pods: the reasons of each node. */
export function noPreemptionText(refusals: readonly (readonly string[])[]): string {
  const counts = new Map<string, number>();
  for (const reasons of refusals) for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return `${head(refusals.length)} ${countsText(counts)}.`;
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
