import type { Job } from './job.ts';

/**
 * Of cases that all show the same, one after the other where a run of CI takes a share, and all of them otherwise.
 * `KUBECHAIN_CI_SHARE` is a whole number from 0 on: with the next one it is the turn of the next case.
 * @param index Which of several such lists this is: they are not all at the same case.
 */
export function shareOf<T>(cases: readonly T[], index = 0): readonly T[] {
  const given = process.env['KUBECHAIN_CI_SHARE'] ?? '';
  if (given === '' || cases.length === 0) return cases;
  if (!/^\d{1,9}$/.test(given)) throw new RangeError(`KUBECHAIN_CI_SHARE is ${given}, not a number`);
  return [cases[(Number(given) + index) % cases.length] as T];
}

/** Jobs of a run that is not asked for any by name: of those of each turn the one whose turn it is. */
export function sharedJobs(jobs: readonly Job[]): readonly Job[] {
  const turns = [...Map.groupBy(jobs, ({ turn }) => turn)].filter(([turn]) => turn !== undefined);
  const mine = new Set(turns.flatMap(([, ofTurn], index) => shareOf(ofTurn, index)));
  return jobs.filter((job) => job.turn === undefined || mine.has(job));
}
