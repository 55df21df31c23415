import type { DirectCall } from '@kubechain/apiserver/servers';
import type { Failure } from './thread-failure.ts';

/** Flags of kube-apiserver that the servers of the thread are started with. */
export type CalledThreadData = readonly string[];

/** A call to the servers of a thread. */
export interface ToCalledThread {
  readonly id: number;
  readonly call: DirectCall;
}

/** What the thread says. */
export type FromCalledThread =
  | {
      readonly kind: 'answer';
      readonly id: number;
      readonly status: number;
      readonly warning: string;
      readonly text: string;
    }
  /** The handler has broken the answer off. */
  | { readonly kind: 'broken'; readonly id: number; readonly failure: Failure }
  /** The servers cannot be started. */
  | { readonly kind: 'failed'; readonly failure: Failure };
