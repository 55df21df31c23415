import type { GenericAPIServer } from '@kubechain/apiserver';

/** A server that serves, or one behind it whose hooks run. */
export interface RunningServer {
  /** Resolves when its post-start hooks are done; rejects when it ends before. */
  readonly started: Promise<void>;
  /** Resolves when it has been stopped; rejects when it ends by itself. */
  readonly ended: Promise<void>;
  /** Ends watches, lets requests finish, and closes listeners. Does not reject: `ended` tells what went wrong. */
  stop(): Promise<void>;
}

/** Listens where the server's configuration says so, and runs its hooks. */
export function runServer(server: GenericAPIServer): RunningServer {
  const stop = new AbortController();
  const { promise: started, resolve, reject } = Promise.withResolvers<void>();
  const ended = server.prepareRun().run(stop.signal, { onStarted: resolve });
  ended.then(() => {
    reject(new TypeError(`${server.name} ended before it had started`));
  }, reject);
  // Whoever waits for the other one hears of it.
  started.catch(() => undefined);
  return {
    started,
    ended,
    stop: async () => {
      stop.abort();
      await ended.catch(() => undefined);
    },
  };
}
