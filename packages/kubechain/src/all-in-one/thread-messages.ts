import type { HeldLoop, WorkBegins } from '@kubechain/apiserver/watchdog';
import type { AllInOne, AllInOneOptions } from './start.ts';
import type { Failure } from './thread-failure.ts';

/** What is known of a cluster of another thread. */
export type ClusterFacts = Omit<AllInOne, 'close' | 'ended'>;

/** Clusters of a thread are told apart by number. */
interface OfCluster {
  readonly id: number;
}

/** What a thread is told. */
export type ToThread =
  /** `logs`: log lines are sent as messages. */
  | (OfCluster & { readonly kind: 'start'; readonly options: Omit<AllInOneOptions, 'onLog'>; readonly logs: boolean })
  | (OfCluster & { readonly kind: 'close' })
  /** The event loop was held, and goes on. */
  | { readonly kind: 'went-on'; readonly held: HeldLoop }
  /** The thread ends; its clusters have been closed. */
  | { readonly kind: 'exit' };

/** What a thread says. */
export type FromThread =
  /** It has work: its event loop is to be watched over. */
  | WorkBegins
  | (OfCluster & { readonly kind: 'ready'; readonly facts: ClusterFacts })
  | (OfCluster & { readonly kind: 'log'; readonly line: string })
  /** Closed, or with `failure` before it was ready or by itself. */
  | (OfCluster & { readonly kind: 'ended'; readonly failure?: Failure });
