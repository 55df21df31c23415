import { limits } from '@kubechain/apimachinery';
import type { ScalingCase } from './cases.ts';

/** What must hold. */
export interface Bars {
  /** Bytes of the larger object; the smaller one has a quarter. */
  readonly bytes: number;
  /** Four times the bytes may cost so many times as much. */
  readonly ratio: number;
  /**
   * Nothing may hold the loop that serves everybody for longer, in ms of processor time: with as many values as are
   * worked on there.
   */
  readonly heldMs: number;
}

/** What does not hold of a case. */
export interface ScalingFinding {
  readonly at: ScalingCase;
  readonly stage: string;
  readonly reason: string;
}

/** What holds for the largest body: a little room is left for what stands around what is pumped. */
export const atBodyLimit: Bars = { bytes: limits.requestBody.value - 4096, ratio: 8, heldMs: 250 };

/** A finding, and how to play it again. */
export function findingText({ at, reason, stage }: ScalingFinding, bars: Bars): string {
  return (
    `${at.name}: ${stage}: ${reason}\n  again: npm run scaling -- --bytes ${bars.bytes} --only ` +
    `'${at.name.replaceAll("'", String.raw`'\''`)}'`
  );
}
