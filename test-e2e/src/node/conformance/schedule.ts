/** Tests that must have the cluster for themselves say so in their names. */
const SERIAL = '[Serial]';

export interface ScheduleOptions {
  /** How many processes run tests beside each other. */
  readonly parallel: number;
  /** Tests of one process. */
  readonly share: number;
  /** When true, nothing more is begun. */
  readonly over: () => boolean;
}

/**
 * Runs tests in shares: those that may run beside others in several processes, then those that may not, one share after
 * another. Resolves when all have run, or when it is over and those that were begun have ended.
 */
export async function runInShares(
  tests: readonly string[],
  run: (share: readonly string[], index: number) => Promise<void>,
  { parallel, share, over }: ScheduleOptions,
): Promise<void> {
  let index = 0;
  const drain = async (queue: string[]): Promise<void> => {
    while (queue.length > 0 && !over()) await run(queue.splice(0, share), index++);
  };
  const together = tests.filter((test) => !test.includes(SERIAL));
  await Promise.all(Array.from({ length: parallel }, () => drain(together)));
  await drain(tests.filter((test) => test.includes(SERIAL)));
}
