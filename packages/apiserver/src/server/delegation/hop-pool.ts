import type { Dispatcher } from 'undici';
// The pool alone: the whole of undici takes 110 ms to load, its pool 35.
import Pool from 'undici/lib/dispatcher/pool.js';
import buildConnector from 'undici/lib/core/connect.js';
import { trustBundle } from '../../certificates/trust-bundle.ts';
import type { DelegateAddress } from './delegate-address.ts';
import { unixConnector, type HopConnector } from './unix-connector.ts';

/** Client credentials for a delegate behind TLS. */
export interface HopTLS {
  /** Trusted for the delegate's serving certificate. */
  readonly ca?: string | Buffer;
  /** The front-proxy client certificate, and its key. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  /** Name expected in the delegate's certificate. Default: the host. */
  readonly servername?: string;
}

/** Answers what to use for the next connection: the same object until something has changed. */
export type HopTLSSource = () => HopTLS;

/** How connections to the next process are made. */
export interface HopPoolOptions {
  readonly address: DelegateAddress;
  readonly tls?: HopTLSSource;
  readonly connectTimeoutMs: number;
}

/** What the hop uses of undici. */
export interface HopPool {
  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean;
  close(): Promise<void>;
  destroy(error: Error): Promise<void>;
}

/** Keep-alive of idle connections; the listener never closes them first, so no request races with a close. */
const idleMs = 30_000;

/** A pool without an upper bound: one connection per request that is being answered, idle ones are used again. */
export function createHopPool({ address, tls, connectTimeoutMs }: HopPoolOptions): HopPool {
  const common = {
    pipelining: 1,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  };
  if (address.kind === 'unix')
    return new Pool('http://localhost', {
      ...common,
      connect: unixConnector(address.path, connectTimeoutMs) as Pool.Options['connect'] & object,
    });
  const host = address.hostname.includes(':') ? `[${address.hostname}]` : address.hostname;
  return new Pool(`https://${host}:${address.port}`, {
    ...common,
    connect: tlsConnector(address.hostname, {
      tls: tls ?? (() => ({})),
      timeoutMs: connectTimeoutMs,
    }) as Pool.Options['connect'] & object,
  });
}

/** undici's own connector, made again (with its cache of sessions) when the credentials are others. */
function tlsConnector(
  host: string,
  { tls, timeoutMs }: { readonly tls: HopTLSSource; readonly timeoutMs: number },
): HopConnector {
  let made: { readonly of: HopTLS; readonly connect: HopConnector } | undefined;
  return (options, callback) => {
    const now = tls();
    if (made?.of !== now) {
      const { ca, cert, key, servername = host } = now;
      made = {
        of: now,
        connect: buildConnector({
          timeout: timeoutMs,
          allowH2: false,
          servername,
          ...trustBundle(ca),
          ...(cert === undefined ? {} : { cert }),
          ...(key === undefined ? {} : { key }),
        }) as unknown as HopConnector,
      };
    }
    made.connect(options, callback);
  };
}
