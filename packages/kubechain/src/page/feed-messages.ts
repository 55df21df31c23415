import type { ProcessMessage } from '@kubechain/apiserver/observe';

/** A process of the chain as the launcher and the machine know it. */
export interface ProcessState {
  readonly name: string;
  /** Absent while it does not run. */
  readonly pid?: number;
  /** Of the machine's records, where it keeps such (Linux): resident memory, and processor seconds since its start. */
  readonly rssBytes?: number;
  readonly processorSeconds?: number;
  readonly health: ProcessHealth;
}

/** What /readyz of a server says; `unasked` for those that have none. */
export interface ProcessHealth {
  readonly kind: 'ready' | 'failing' | 'unreachable' | 'unasked';
  /** Checks that fail, or why it cannot be asked. */
  readonly problems: readonly string[];
  /** All that was asked, when it was. */
  readonly checks: number;
}

/** What the chain is, as far as it does not change while it runs. */
export interface ChainFacts {
  readonly url: string;
  readonly kubeconfig: string;
  readonly topology: 'chain' | 'all-in-one';
  /** Processes that tell about their requests, the first of the chain first. */
  readonly servers: readonly string[];
  readonly version: string;
  /** Upper bounds of the buckets that latencies are counted in, ms. */
  readonly latencyBoundsMs: readonly number[];
}

/** What the page is told, as events of one stream. */
export type FeedMessage =
  | { readonly kind: 'processes'; readonly processes: readonly ProcessState[] }
  | { readonly kind: 'told'; readonly process: string; readonly message: ProcessMessage };
