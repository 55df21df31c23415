/** Bounds of a histogram, each `factor` times the one before (prometheus.ExponentialBuckets). */
export function exponentialBounds(start: number, factor: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => start * factor ** i);
}
