import { randomUUID } from 'node:crypto';
import type { Clock } from '@kubechain/apimachinery';

/** Time, identity and chance, passed in so that tests decide about them. */
export interface StoreEnvironment {
  readonly clock: Clock;
  /** A new version 4 UUID. */
  newUID(): string;
  /** A uniform number from 0 to below 1, for generated names. */
  random(): number;
}

/** The real ones. */
export const systemEnvironment: StoreEnvironment = {
  clock: { now: () => Date.now() },
  newUID: () => randomUUID(),
  random: () => Math.random(),
};
