import { printTable } from '../storage/table.ts';

/** Something that is measured: one run is one operation. */
export interface Step {
  readonly name: string;
  readonly run: () => unknown;
  /** What the ratio should not be above. */
  readonly atMost?: number;
}

const runsPerRound = 400;
const warmUpRounds = 3;

/**
 * Measures steps in units of another one. Rounds of all of them follow one another, so that noise of the machine meets
 * all; the median of the rounds' ratios is printed, and microseconds at best.
 */
export async function ratioTo(unit: Step, steps: readonly Step[], rounds: number): Promise<void> {
  const ratios = steps.map((): number[] => []);
  const best = [unit, ...steps].map(() => Infinity);
  for (let round = -warmUpRounds; round < rounds; round++) {
    const unitMicros = await micros(unit);
    best[0] = Math.min(best[0] as number, unitMicros);
    for (const [i, step] of steps.entries()) {
      const stepMicros = await micros(step);
      best[i + 1] = Math.min(best[i + 1] as number, stepMicros);
      if (round >= 0) ratios[i]?.push(stepMicros / unitMicros);
    }
  }
  printTable([
    ['', 'µs at best', 'ratio', 'aim'],
    [unit.name, (best[0] as number).toFixed(1), '1', ''],
    ...steps.map((step, i) => [step.name, (best[i + 1] as number).toFixed(1), median(ratios[i] ?? []).toFixed(1), step.atMost === undefined ? '' : `≤ ${step.atMost}`]),
  ]);
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
