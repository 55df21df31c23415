import { limits } from '@kubechain/apimachinery';
import type { Bars, ScalingFinding } from './measure.ts';

/** What holds for the largest body: a little room is left for what stands around what is pumped. */
export const atBodyLimit: Bars = { bytes: limits.requestBody.value - 4096, ratio: 8, heldMs: 250 };

/** A finding, and how to play it again. */
export function findingText({ at, reason, stage }: ScalingFinding, bars: Bars): string {
  return (
    `${at.name}: ${stage}: ${reason}\n  again: npm run scaling -- --bytes ${bars.bytes} --only ` +
    `'${at.name.replaceAll("'", String.raw`'\''`)}'`
  );
}
