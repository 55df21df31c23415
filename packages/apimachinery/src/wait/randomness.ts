import { randomUUID } from 'node:crypto';

/**
 * Chance and identity, handed in as time is, so that whoever replays a run decides about them. Secrets are not made of
 * it: what must be unpredictable comes from the platform.
 */
export interface Randomness {
  /** A uniform number from 0 to below 1: for jitter, names and choices. */
  readonly random: () => number;
  /** A new version 4 UUID. */
  readonly newUID: () => string;
}

/** The machine's. */
export const systemRandomness: Randomness = {
  random: () => Math.random(),
  newUID: () => randomUUID(),
};
