import { Backoff } from '@kubechain/apimachinery';
import { connect, type Socket } from 'node:net';

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
  // After a blocked turn of the event loop timers run before sockets: a connection that is there is not called late.
  const giveUp = (): void => {
    setImmediate(() => {
      if (socket.connecting) socket.destroy(Object.assign(new Error('connection timed out'), { code: 'ETIMEDOUT' }));
    });
  };
  const timer = setTimeout(giveUp, Math.max(1, until - performance.now()));
  const onError = (error: NodeJS.ErrnoException): void => {
    clearTimeout(timer);
    const retryMs = error.code === 'EAGAIN' ? pauses.next() : Infinity;
    if (performance.now() + retryMs < until) setTimeout(attempt, retryMs, path, { until, pauses, callback });
    else callback(error, null);
  };
  socket.once('error', onError);
  socket.once('connect', () => {
    clearTimeout(timer);
    socket.off('error', onError);
    callback(null, socket);
  });
}
