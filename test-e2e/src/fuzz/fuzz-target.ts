import type { FuzzRandom } from './fuzz-random.ts';

/**
 * Something that is fed with what nobody sane would send.
 *
 * To add one: a file in targets/ that exports a `FuzzTarget`, and its line in targets.ts.
 */
export interface FuzzTarget {
  readonly name: string;
  /** What is fed and what must hold, in one sentence. */
  readonly about: string;
  /** How many tries CI makes; a target that needs servers has fewer. Default: 2,000. */
  readonly shareOfCI?: number;
  /** Starts what is fed. Everything it needs lives until `close`. */
  open(): FuzzSubject | Promise<FuzzSubject>;
}

/** A running target. */
export interface FuzzSubject {
  /**
   * Makes an input and feeds it; whatever is thrown is a finding, so refusals that are right are caught here.
   * Everything that varies comes from `random`: the same random makes the same try.
   * `input` is told what is fed, before it is: it is printed with the finding.
   */
  attempt(random: FuzzRandom, input: (shown: string | Uint8Array) => void): unknown;
  close?(): void | Promise<void>;
}

/** A property that did not hold. */
export class FuzzFailure extends Error {
  override readonly name = 'FuzzFailure';
}
