/** One part of what a clean checkout must pass: a program that ends with 0 when it passes. */
export interface Job {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Names of jobs that must have passed before. */
  readonly needs?: readonly string[];
  /** Processors that it keeps busy; default 1. What mostly waits takes less. */
  readonly load?: number;
  /** Jobs of one lane run one after another. */
  readonly lane?: string;
  /** It measures: nothing runs beside it, so that it comes when everything else is done. */
  readonly alone?: boolean;
  /** Jobs of the same turn show much the same: a run has one of them, another the next time, unless it is to be whole. */
  readonly turn?: string;
  /**
   * It asks whether the machine can do what the jobs that need it do, and ends with CANNOT where it cannot: they are
   * left out then, which the end of the run says, and nothing has failed. Not for programs that are missing.
   */
  readonly asks?: boolean;
  /** How often it may try, default once. For what depends on the network, never for tests. */
  readonly attempts?: number;
  /** Runs the tests of some files again, in a process of their own, when a few files of the job have failed. */
  readonly again?: (files: readonly string[]) => Job['command'];
  /** How often it runs mocha, default once: fewer endings in its output are a failure, for tests that were not come to. */
  readonly runs?: number;
  /** What its output counts; default `nothing`: its exit code is all that it says. */
  readonly counts?: 'mocha' | 'transcripts' | 'nothing';
}

/** Exit code of a job that asks, where the machine cannot. */
export const CANNOT = 69;

/** How a job ended. */
export interface Outcome {
  readonly job: Job;
  readonly kind: 'passed' | 'failed' | 'not run' | 'left out';
  readonly seconds: number;
  /** Tests, or transcripts, or the job itself where it counts nothing. */
  readonly passed: number;
  readonly failed: number;
  /** Why it did not pass. */
  readonly reason?: string;
  /** Files that passed only when they were tried again. */
  readonly triedAgain?: readonly string[];
}
