import type { LoadPoint } from './model.ts';

/** Requests that ended, of each second. */
export function ratesOf(points: readonly LoadPoint[]): number[] {
  return points.map(({ load }) => Object.values(load.ended).reduce((total, count) => total + count, 0));
}

/** What 50, 90 and 99 % of the requests of some seconds took at most, ms: bounds of the buckets that they are in. */
export function quantiles(
  points: readonly LoadPoint[],
  boundsMs: readonly number[],
): [half: number, ninety: number, most: number] {
  const counts = Array.from({ length: boundsMs.length + 1 }, () => 0);
  for (const { load } of points) for (const [bucket, count] of load.latencies.entries()) counts[bucket]! += count;
  const total = counts.reduce((sum, count) => sum + count, 0);
  const at = (share: number): number => {
    let seen = 0;
    for (const [bucket, count] of counts.entries()) {
      seen += count;
      if (total > 0 && seen >= total * share) return boundsMs[bucket] ?? boundsMs.at(-1) ?? 0;
    }
    return 0;
  };
  return [at(0.5), at(0.9), at(0.99)];
}
