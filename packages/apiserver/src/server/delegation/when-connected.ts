import { isIP, type Socket } from 'node:net';

/** How long what makes a connection may take, milliseconds. */
export interface ConnectLimits {
  /** The connection itself, which the other machine's kernel accepts however busy its processes are. */
  readonly withinMs: number;
  /** What others' processes do for it, each: its address is found, hands are shaken over TLS. Default: `withinMs`. */
  readonly patienceMs?: number;
}

/** Which connection is waited for, and for how long. */
export interface ConnectOptions extends ConnectLimits {
  /** `secureConnect` of one over TLS. */
  readonly event: 'connect' | 'secureConnect';
  /** Whether its address has to be found first. Default false. */
  readonly named?: boolean;
}

/** What is waited for with a connection to an address. */
export function connectionTo(
  address: { readonly kind: 'unix' } | { readonly kind: 'https'; readonly hostname: string },
): Pick<ConnectOptions, 'event' | 'named'> {
  return address.kind === 'unix'
    ? { event: 'connect' }
    : { event: 'secureConnect', named: isIP(address.hostname) === 0 };
}

/**
 * Calls back once: without an error when the socket is connected, or with why it is not; `ETIMEDOUT` when its time is
 * over. After a blocked turn of the event loop timers run before sockets: a connection that is there is not called
 * late.
 */
export function whenConnected(
  socket: Socket,
  { event, named = false, withinMs, patienceMs = withinMs }: ConnectOptions,
  callback: (error: NodeJS.ErrnoException | null) => void,
): void {
  let timer: NodeJS.Timeout | undefined;
  const allow = (ms: number): void => {
    clearTimeout(timer);
    const mine = setTimeout(() => {
      setImmediate(() => {
        if (timer === mine) socket.destroy(Object.assign(new Error('connection timed out'), { code: 'ETIMEDOUT' }));
      });
    }, ms);
    timer = mine;
  };
  const over = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  allow(named ? patienceMs : withinMs);
  if (named)
    socket.once('lookup', () => {
      if (timer !== undefined) allow(withinMs);
    });
  if (event === 'secureConnect')
    socket.once('connect', () => {
      if (timer !== undefined) allow(patienceMs);
    });
  const onError = (error: Error): void => {
    over();
    callback(error);
  };
  socket.once('error', onError);
  socket.once('close', over);
  socket.once(event, () => {
    over();
    socket.off('error', onError);
    callback(null);
  });
}
