/** Something that is measured: one run is one operation. */
export interface Step {
  readonly name: string;
  readonly run: () => unknown;
  /** What the ratio should not be above. */
  readonly atMost?: number;
}

/** A measured step. */
export interface Ratio {
  readonly name: string;
  /** Processor time of one run in the round that took least. */
  readonly bestMicros: number;
  /** In units of the other step: the median of the rounds. */
  readonly ratio: number;
  readonly atMost: number | undefined;
}

const runsPerRound = 100;
const warmUpRounds = 30;

/**
 * Measures steps in units of another one, which comes first in the result. Rounds of all of them follow one another, so
 * that noise of the machine meets all.
 */
export async function measureRatios(unit: Step, steps: readonly Step[], rounds: number): Promise<Ratio[]> {
  const all = [unit, ...steps];
  const ratios = all.map((): number[] => []);
  const best = all.map(() => Infinity);
  for (let round = -warmUpRounds; round < rounds; round++) {
    let unitMicros = 0;
    for (const [i, step] of all.entries()) {
      const stepMicros = await micros(step);
      if (i === 0) unitMicros = stepMicros;
      best[i] = Math.min(best[i] as number, stepMicros);
      if (round >= 0) ratios[i]?.push(stepMicros / unitMicros);
    }
  }
  return all.map(({ name, atMost }, i) => ({
    name,
    bestMicros: best[i] as number,
    ratio: median(ratios[i] ?? []),
    atMost,
  }));
}

/** Processor time, so that a busy machine counts little. */
async function micros({ run }: Step): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < runsPerRound; i++) await run();
  const { system, user } = process.cpuUsage(before);
  return (user + system) / runsPerRound;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? 0;
}
