import type { Socket } from 'node:net';

/** Which connection is waited for, and for how long. */
export interface ConnectOptions {
  /** `secureConnect` of one over TLS. */
  readonly event: 'connect' | 'secureConnect';
  readonly withinMs: number;
}

/**
 * Calls back once: without an error when the socket is connected, or with why it is not; `ETIMEDOUT` when its time is
 * over. After a blocked turn of the event loop timers run before sockets: a connection that is there is not called
 * late.
 */
export function whenConnected(
  socket: Socket,
  { event, withinMs }: ConnectOptions,
  callback: (error: NodeJS.ErrnoException | null) => void,
): void {
  let connected = false;
  const timer = setTimeout(() => {
    setImmediate(() => {
      if (!connected) socket.destroy(Object.assign(new Error('connection timed out'), { code: 'ETIMEDOUT' }));
    });
  }, withinMs);
  const onError = (error: Error): void => {
    clearTimeout(timer);
    callback(error);
  };
  socket.once('error', onError);
  socket.once(event, () => {
    connected = true;
    clearTimeout(timer);
    socket.off('error', onError);
    callback(null);
  });
}
