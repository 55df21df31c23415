import { systemClock, systemRandomness } from '@kubechain/apimachinery';
import type { Clock, Randomness, ReleaseAge } from '@kubechain/apimachinery';

/** Time, identity, chance and the release, passed in so that tests decide about them. */
export interface StoreEnvironment extends Randomness {
  readonly clock: Clock;
  /** Whose rules metadata is held to. Default: the checked-in tables' release. */
  readonly release?: ReleaseAge;
  /** A mistake that several rules name is told once: so for kinds with declarative rules since 1.37. Default false. */
  readonly tellsMistakesOnce?: boolean;
}

/** The real ones. */
export const systemEnvironment: StoreEnvironment = { clock: systemClock, ...systemRandomness };
