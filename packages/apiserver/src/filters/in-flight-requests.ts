import { StatusError } from '@kubechain/apimachinery';
import type { ServerResponse } from 'node:http';
import { abortReason, type ServerRequestContext } from '../request/server-request-context.ts';

/**
 * The requests that a server is answering, in two groups as upstream's wait groups: short ones, which a shutdown
 * waits for, and watches and other long-running ones, which a shutdown ends.
 */
export class InFlightRequests {
  readonly #short = new Set<ServerRequestContext>();
  readonly #longRunning = new Set<ServerRequestContext>();
  #draining = false;
  #waiters: (() => void)[] = [];

  get shortCount(): number {
    return this.#short.size;
  }
  get longRunningCount(): number {
    return this.#longRunning.size;
  }
  get draining(): boolean {
    return this.#draining;
  }

  /** False once draining has begun: the request must be refused. */
  add(context: ServerRequestContext): boolean {
    if (this.#draining) return false;
    (context.longRunning ? this.#longRunning : this.#short).add(context);
    return true;
  }

  remove(context: ServerRequestContext): void {
    this.#short.delete(context);
    this.#longRunning.delete(context);
    if (this.#waiters.length > 0 && this.#short.size === 0 && this.#longRunning.size === 0) {
      for (const wake of this.#waiters.splice(0)) wake();
    }
  }

  /**
   * Refuses new requests, aborts the signals of long-running ones, and resolves when nothing is left, or when
   * `signal` aborts; to the number of requests still there.
   */
  async drain(signal: AbortSignal): Promise<number> {
    this.#draining = true;
    for (const context of this.#longRunning) context.abort(abortReason('shutdown'));
    if (this.#short.size + this.#longRunning.size > 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        this.#waiters.push(resolve);
        signal.addEventListener(
          'abort',
          () => {
            resolve();
          },
          { once: true },
        );
      });
    }
    return this.#short.size + this.#longRunning.size;
  }
}

/** The 503 for requests that arrive while a server drains. */
export function shuttingDownStatus(): StatusError {
  return new StatusError({
    status: 'Failure',
    message: 'apiserver is shutting down',
    reason: 'ServiceUnavailable',
    code: 503,
    details: { retryAfterSeconds: 1 },
  });
}

/**
 * Ends a connection after its response, so that clients of a stopping server reconnect elsewhere. HTTP/2 has GOAWAY for
 * it.
 */
export function closeConnectionAfter(response: ServerResponse): void {
  if (response.req.httpVersionMajor === 1 && !response.headersSent) response.setHeader('Connection', 'close');
}
