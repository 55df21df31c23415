import type { Operation } from './operations.ts';
import { inUnits } from './report.ts';
import type { Sample } from './round.ts';

/** An operation and what it cost. */
export interface Measurement {
  readonly operation: Operation;
  readonly samples: readonly Sample[];
}

/**
 * Holds operations to their bounds by their best rounds, as what else a machine does only makes rounds worse. What
 * misses its bound is measured again before it counts. Resolves to a line for each, and how many are above.
 */
export async function checkBounds(
  measurements: readonly Measurement[],
  measureAgain: (operation: Operation) => Promise<readonly Sample[]>,
): Promise<{ readonly lines: string[]; readonly missed: number }> {
  const lines: string[] = [];
  let missed = 0;
  for (const { operation, samples } of measurements) {
    let best = leastUnits(samples);
    if (best > operation.mostUnits) best = Math.min(best, leastUnits(await measureAgain(operation)));
    const above = best > operation.mostUnits;
    if (above) missed++;
    lines.push(`${operation.name}: ${inUnits(best)} units, at most ${operation.mostUnits}${above ? ' MISSED' : ''}`);
  }
  return { lines, missed };
}

const leastUnits = (samples: readonly Sample[]): number => Math.min(...samples.map(({ units }) => units));
