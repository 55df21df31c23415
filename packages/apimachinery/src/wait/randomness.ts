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
  /** Of a run that is to be repeated; absent where each run is another. */
  readonly repeatable?: RepeatableDraws;
}

/**
 * Draws that depend on what they are for, and on how often that has been drawn for, but not on what was drawn for
 * anything else: what happens beside it does not shift them.
 */
export interface RepeatableDraws {
  /** Of the next occurrence of a purpose, e.g. of the next name that is generated for a prefix. */
  of(purpose: string): Pick<Randomness, 'newUID' | 'random'>;
  /** The uid of the object that is made next under a key: the same for each try, until one was `created`. */
  uidOf(key: string): string;
  created(key: string): void;
}

/** The machine's. */
export const systemRandomness: Randomness = {
  random: () => Math.random(),
  newUID: () => randomUUID(),
};
