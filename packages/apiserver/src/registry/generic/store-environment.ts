import { systemClock, systemRandomness } from '@kubechain/apimachinery';
import type { Clock, FieldError, KubeObject, Randomness, ReleaseAge } from '@kubechain/apimachinery';

/** Time, identity, chance and the release, passed in so that tests decide about them. */
export interface StoreEnvironment extends Randomness {
  readonly clock: Clock;
  /** Whose rules metadata is held to. Default: the checked-in tables' release. */
  readonly release?: ReleaseAge;
  /** How mistakes in an object are told, of those that were found. Default: as they were found. */
  readonly tellMistakes?: ((errors: readonly FieldError[], object: KubeObject) => FieldError[]) | undefined;
}

/** The real ones. */
export const systemEnvironment: StoreEnvironment = { clock: systemClock, ...systemRandomness };
