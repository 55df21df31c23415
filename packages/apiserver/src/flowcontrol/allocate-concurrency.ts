/** One who wants a share: at least `lower`, at most `upper`, in proportion to `target`. */
export interface AllocationClaim {
  readonly lower: number;
  readonly upper: number;
  readonly target: number;
}

/** Shares of all claims in their order, and the factor between targets and shares of those that no bound holds. */
export interface Allocation {
  readonly shares: readonly number[];
  readonly fairFraction: number;
}

const leastTarget = 0.001;
const epsilon = 1e-7;

/**
 * Divides `sum` so that each share is `fairFraction × target` within its bounds (util/flowcontrol/conc_alloc.go, 1.36);
 * undefined when the bounds leave no way to.
 *
 * The sum of the shares grows with the fraction, in straight lines between the fractions at which some claim meets a
 * bound. So these are walked in order until the line is found on which the sum is reached.
 */
export function allocateConcurrency(sum: number, claims: readonly AllocationClaim[]): Allocation | undefined {
  if (sum < 0 || claims.some(({ lower, upper, target }) => lower < 0 || target < lower || upper < lower))
    return undefined;
  const targets = claims.map(({ target }) => Math.max(target, leastTarget));
  const share = (claim: AllocationClaim, i: number, fraction: number): number =>
    Math.max(claim.lower, Math.min(claim.upper, fraction * (targets[i] as number)));
  const total = (fraction: number): number => claims.reduce((soFar, claim, i) => soFar + share(claim, i, fraction), 0);
  const lowest = total(0);
  const highest = claims.reduce((soFar, { upper }) => soFar + upper, 0);
  if (lowest - sum > epsilon || sum - highest > epsilon) return undefined;
  if (sum === 0) return { shares: claims.map(() => 0), fairFraction: 0 };
  const at = (fairFraction: number): Allocation => ({
    shares: claims.map((claim, i) => share(claim, i, fairFraction)),
    fairFraction,
  });
  const bounds = claims
    .flatMap(({ lower, upper }, i) => [lower / (targets[i] as number), upper / (targets[i] as number)])
    .sort((a, b) => a - b);
  let from = bounds[0] ?? 0;
  let below = total(from);
  // All who cannot go lower are there already: the first bound is as good as any fraction below it.
  if (lowest - sum > -epsilon) return at(from);
  for (const bound of bounds) {
    const above = total(bound);
    if (above >= sum) return at(above === below ? bound : from + ((bound - from) * (sum - below)) / (above - below));
    from = bound;
    below = above;
  }
  return at(from);
}
