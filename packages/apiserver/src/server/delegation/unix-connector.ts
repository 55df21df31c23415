import { Backoff } from '@kubechain/apimachinery';
import { connect, type Socket } from 'node:net';
import { whenConnected } from './when-connected.ts';

/** Makes a connection for an agent of node:http. */
export type HopConnector = (options: unknown, callback: (error: Error | null, socket: Socket | null) => void) => void;

/** Waits after a full backlog. */
const retryPauses = { firstMs: 2, longestMs: 100 };

/**
 * Connects to a unix socket. A burst of connections can fill the listener's backlog, which the kernel says with
 * EAGAIN instead of making the client wait as TCP does; so it is tried again until `timeoutMs` is over.
 */
export function unixConnector(path: string, timeoutMs: number): HopConnector {
  return (_options, callback) => {
    attempt(path, { until: performance.now() + timeoutMs, pauses: new Backoff(retryPauses), callback });
  };
}

function attempt(
  path: string,
  options: { readonly until: number; readonly pauses: Backoff; readonly callback: Parameters<HopConnector>[1] },
): void {
  const { until, pauses, callback } = options;
  const socket = connect({ path, keepAlive: false });
  whenConnected(socket, { event: 'connect', withinMs: Math.max(1, until - performance.now()) }, (error) => {
    if (error === null) {
      callback(null, socket);
      return;
    }
    const retryMs = error.code === 'EAGAIN' ? pauses.next() : Infinity;
    if (performance.now() + retryMs < until) setTimeout(attempt, retryMs, path, { until, pauses, callback });
    else callback(error, null);
  });
}
