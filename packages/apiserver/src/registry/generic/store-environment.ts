import { systemClock, systemRandomness, type Clock, type Randomness } from '@kubechain/apimachinery';

/** Time, identity and chance, passed in so that tests decide about them. */
export interface StoreEnvironment extends Randomness {
  readonly clock: Clock;
}

/** The real ones. */
export const systemEnvironment: StoreEnvironment = { clock: systemClock, ...systemRandomness };
