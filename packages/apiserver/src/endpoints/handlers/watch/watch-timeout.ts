/**
 * How long a watch lasts: as the client asked, or a random time from the minimum to twice that, so that clients which
 * began together do not come back together (handlers/get.go). 0: without an end. A time that is over when it begins is
 * the shortest there is.
 */
export function watchTimeoutMs(
  timeoutSeconds: number | undefined,
  minRequestTimeoutMs: number,
  random: () => number,
): number {
  if (timeoutSeconds !== undefined && timeoutSeconds !== 0) return Math.max(1, timeoutSeconds * 1000);
  return minRequestTimeoutMs > 0 ? minRequestTimeoutMs * (1 + random()) : 0;
}
