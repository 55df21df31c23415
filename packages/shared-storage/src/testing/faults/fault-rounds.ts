import { randomInt } from 'node:crypto';

/** How often each fault suite runs: KUBECHAIN_FAULT_ROUNDS, default 1. */
const asked = Number(process.env['KUBECHAIN_FAULT_ROUNDS'] ?? 1);
if (!Number.isInteger(asked) || asked < 1) throw new RangeError('KUBECHAIN_FAULT_ROUNDS must be a positive number');
/**
 * Seed of the first round: KUBECHAIN_FAULT_SEED, to play a failed round again, or `random`. Default 1: what passed goes
 * on passing, until something changes.
 */
const given = process.env['KUBECHAIN_FAULT_SEED'] ?? '1';

export interface FaultRoundsOptions {
  /** For each round. */
  readonly timeoutMs: number;
  /** Runs only one in so many of the rounds that are asked for, rounded up: for what another suite shows, too. */
  readonly oneIn?: number;
  readonly round: (seed: number) => Promise<void>;
}

/**
 * Declares rounds of a fault suite as mocha tests, each with faults of its own seed. A failure tells its seed. The same
 * seed plays the same faults in the same order; how they meet the load is up to the machine.
 */
export function declareFaultRounds(title: string, options: FaultRoundsOptions): void {
  const rounds = Math.ceil(asked / (options.oneIn ?? 1));
  for (let round = 1; round <= rounds; round++) {
    it(rounds === 1 ? title : `${title} (${round} of ${rounds})`, async function test() {
      this.timeout(options.timeoutMs);
      const seed = given === 'random' ? randomInt(2 ** 31) : Number(given) + round - 1;
      try {
        await options.round(seed);
      } catch (error) {
        if (error instanceof Error) error.message = `KUBECHAIN_FAULT_SEED=${seed}: ${error.message}`;
        throw error;
      }
    });
  }
}
