/** Seconds that finding out who somebody is, and what they may do, is sorted by: 1 ms, and twice as much each time. */
export const rightsBuckets: readonly number[] = Array.from({ length: 15 }, (_, i) => 2 ** i / 1_000);
