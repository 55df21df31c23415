import { allocateConcurrency } from './allocate-concurrency.ts';
import type { PriorityLevel } from './priority-level.ts';

/** What the levels share. */
export interface ServerSeats {
  /** Seats of the whole server, as flags say. */
  readonly serverLimit: number;
  /** Sum of the nominal limits; a little more than that, because each is rounded up. */
  readonly nominalSum: number;
}

/**
 * Lets levels lend and borrow seats by what they have asked for lately (updateBorrowingLocked of
 * util/flowcontrol/apf_controller.go, 1.36). Each level gets at least what it needs of its own seats and of those that
 * it does not lend; the rest goes where demand is. Returns the fair fraction.
 */
export function adjustLimits(levels: Iterable<PriorityLevel>, { serverLimit, nominalSum }: ServerSeats): number {
  const limited: { readonly level: PriorityLevel; readonly least: number; readonly target: number }[] = [];
  let remaining = nominalSum;
  for (const level of levels) {
    level.takeDemand();
    if (level.exempt) {
      const seats = Math.max(level.lowerLimit, level.demandHighWatermark);
      remaining -= seats;
      level.allot(seats, { target: seats, serverLimit });
    } else {
      const least = Math.max(level.lowerLimit, Math.min(level.nominalLimit, level.demandHighWatermark));
      limited.push({ level, least, target: Math.max(least, level.demandSmoothed) });
    }
  }
  const lowerSum = limited.reduce((sum, { level }) => sum + level.lowerLimit, 0);
  const leastSum = limited.reduce((sum, { least }) => sum + least, 0);
  // The exempt requests, which nothing holds, leave too little: all give way in proportion.
  if (remaining <= leastSum) {
    const fraction = remaining <= lowerSum ? 0 : (remaining - lowerSum) / (leastSum - lowerSum);
    for (const { level, least, target } of limited)
      level.allot(level.lowerLimit + Math.round((least - level.lowerLimit) * fraction), { target, serverLimit });
    return 0;
  }
  const allocation = allocateConcurrency(
    nominalSum,
    limited.map(({ level, least, target }) => ({ lower: least, upper: level.upperLimit, target })),
  );
  for (const [i, { level, target }] of limited.entries())
    level.allot(Math.round(allocation?.shares[i] ?? level.currentLimit), { target, serverLimit });
  return allocation?.fairFraction ?? 0;
}
