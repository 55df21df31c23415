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
