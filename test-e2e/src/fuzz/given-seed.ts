import { randomInt } from 'node:crypto';

/** KUBECHAIN_FUZZ_SEED: a number, or `random`. Default 1: a run tells of what was changed, nothing else. */
export function givenSeed(): number {
  const given = process.env['KUBECHAIN_FUZZ_SEED'] ?? '1';
  if (given === 'random') return randomInt(2 ** 31);
  const seed = Number(given);
  if (!Number.isInteger(seed)) throw new RangeError(`KUBECHAIN_FUZZ_SEED is ${given}, neither a number nor random`);
  return seed;
}
