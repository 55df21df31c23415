/** Fewer nodes than this are all looked at. */
const least = 100;

/**
 * How many nodes that fit are enough to choose among (percentageOfNodesToScore's default, 1.36): all of up to 100, then
 * a part that shrinks from half of them to a twentieth.
 */
export function enoughNodes(count: number): number {
  if (count < least) return count;
  const percentage = Math.max(5, 50 - Math.floor(count / 125));
  return Math.max(least, Math.floor((count * percentage) / 100));
}
