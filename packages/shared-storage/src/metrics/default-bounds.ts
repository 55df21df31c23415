/** Seconds, where nothing says otherwise (prometheus.DefBuckets). */
export const defaultBounds: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
