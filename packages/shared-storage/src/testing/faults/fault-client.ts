import type { Change } from './timeline.ts';
import type { Outcome } from './write-log.ts';

/** The request failed in a way that clients expect while something is broken, and try again after. */
export class PassingFailure extends Error {
  override readonly name = 'PassingFailure';
}

/** Contents by name at one moment. */
export interface Snapshot {
  readonly revision: number;
  readonly items: readonly (readonly [name: string, write: string])[];
}

/** What a watch is told, by whichever client of the store. */
export interface FaultWatchSink {
  change(change: Change): void;
  /** Everything up to this revision has been told. */
  bookmark(revision: number): void;
}

/**
 * Objects of one resource as one client of them sees them: through a store, a cache, or a server. Used under faults.
 */
export interface FaultClient {
  readonly name: string;
  /** Creates or replaces; `unknown` after a failure that is to be expected, other failures are thrown. */
  put(name: string, content: { readonly write: string; readonly selected: boolean }): Promise<Outcome>;
  delete(name: string): Promise<Outcome>;
  /** The write that made the object, undefined where there is none. @throws PassingFailure */
  get(name: string): Promise<string | undefined>;
  /**
   * Everything (or everything selected) at one moment: a moment after the call for `consistent` and `paged`, else any.
   * @throws PassingFailure
   */
  list(how: 'consistent' | 'paged' | 'anyState', options?: { readonly selectedOnly?: boolean }): Promise<Snapshot>;
  /**
   * Tells what happens after `from`. Resolves when the watch has ended: `expired` when that history is gone. @throws
   * PassingFailure
   */
  watch(
    options: { readonly from: number; readonly selectedOnly: boolean; readonly signal: AbortSignal },
    sink: FaultWatchSink,
  ): Promise<'ended' | 'expired'>;
  /** Fails when the client knows that something is wrong with itself, once the faults are over. */
  verify?(): Promise<void>;
  close(): Promise<void>;
}
