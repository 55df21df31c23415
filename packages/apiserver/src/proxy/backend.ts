import type { RequestOptions } from 'node:https';
import type { Dial } from '../egress/dial.ts';
import { tlsOver } from '../egress/tls-over.ts';
import { connect as connectSocket, isIP, type Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import type { Duplex } from 'node:stream';
import { escapeDecodedPath } from './outgoing-url.ts';
import type { TurnQueue } from '../request/turn-queue.ts';
import type { ExchangeCountsOf } from './exchange-end.ts';
import { PacedStream } from './paced-stream.ts';
import { nodeTLS } from '../certificates/node-tls.ts';

/** Where a request is proxied to. */
export interface Backend {
  readonly scheme: 'http' | 'https';
  /** `host:port`; the port may be missing, IPv6 addresses are in brackets. */
  readonly host: string;
  /** Without escapes; '' or `/…`. */
  readonly path: string;
  /** Escaped, without `?`. */
  readonly query: string;
  /** For https: certificates and authorities. */
  readonly tls: ConnectionOptions;
  /** Makes the connection; default: directly. */
  readonly dial?: Dial | undefined;
  /** How fast upgraded connections may be, in each direction; 0, the default: as fast as both ends are. */
  readonly bytesPerSecond?: number | undefined;
  /** Where it is told why upgrades have ended; default: nowhere. */
  readonly upgradeCounts?: ExchangeCountsOf | undefined;
  /** What answers take that cost the thread much; default: each for itself. */
  readonly turns?: TurnQueue | undefined;
}

/** How connections into the cluster are made. */
export type Reach = Pick<Backend, 'bytesPerSecond' | 'dial' | 'turns' | 'upgradeCounts'>;

/** `host:port` with the scheme's own port where none is named, as errors of connections say it. */
export function dialAddress({ host, scheme }: Pick<Backend, 'host' | 'scheme'>): string {
  return /:\d+$/.test(host) ? host : `${host}:${scheme === 'https' ? 443 : 80}`;
}

/** Path and query as a request line has them. */
export function targetOf({ path, query }: Pick<Backend, 'path' | 'query'>): string {
  return `${path === '' ? '/' : escapeDecodedPath(path)}${query === '' ? '' : `?${query}`}`;
}

/** The whole, as errors name it. */
export function urlOf(backend: Backend): string {
  return `${backend.scheme}://${backend.host}${targetOf(backend)}`;
}

/** How long a connection may take until it is there, in milliseconds (Go's default dialer). */
const dialTimeoutMs = 30_000;

/** What of a backend matters to a connection. */
export type Dialled = Pick<Backend, 'bytesPerSecond' | 'dial' | 'host' | 'scheme' | 'tls'>;

/**
 * Host, port and TLS options in Node's form. Certificates are checked against the host that is dialled, whatever Host
 * header the client sent.
 */
function connectionOptions(
  backend: Pick<Backend, 'host' | 'scheme' | 'tls'>,
): ConnectionOptions & { readonly host: string; readonly port: number } {
  const address = dialAddress(backend);
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, colon).replace(/^\[|\]$/g, '');
  return {
    ...(backend.scheme === 'https' ? { servername: isIP(host) === 0 ? host : '', ...backend.tls } : {}),
    host,
    port: Number(address.slice(colon + 1)),
  };
}

/**
 * A connection that speaks HTTP/1.1, being opened. `ready` is called once when it is there; failures are the socket's
 * errors.
 */
export function dialBackend(backend: Dialled, ready: () => void): Socket {
  const options = connectionOptions(backend);
  const socket = dialled(backend, options, { ALPNProtocols: ['http/1.1'] });
  endSlowDial(socket);
  socket.once(backend.scheme === 'https' ? 'secureConnect' : 'connect', ready);
  return socket;
}

/** The same as options of a request that has its connection for itself. */
export function requestOptions(backend: Dialled): RequestOptions {
  const options = connectionOptions(backend);
  if (backend.dial === undefined) return { ...options, agent: false };
  return { ...options, createConnection: () => dialled(backend, options) };
}

function dialled(
  { dial, scheme }: Dialled,
  options: ReturnType<typeof connectionOptions>,
  tls: ConnectionOptions = {},
): Socket {
  const under = dial?.(options.host, options.port);
  if (scheme === 'http') return under ?? connectSocket(options);
  return under === undefined ? nodeTLS().connect({ ...options, ...tls }) : tlsOver(under, { ...options, ...tls });
}

/** A connection after its upgrade, no faster than it may be. */
export function paced<Connection extends Duplex>(
  connection: Connection,
  { bytesPerSecond = 0 }: Pick<Backend, 'bytesPerSecond'>,
): Connection | PacedStream {
  return bytesPerSecond > 0 ? new PacedStream(connection, bytesPerSecond) : connection;
}

/** Gives up on a socket that does not get its connection in time. */
export function endSlowDial(socket: Socket): void {
  if (!socket.connecting) return;
  const timer = setTimeout(() => {
    socket.destroy(Object.assign(new Error('connection timed out'), { code: 'ETIMEDOUT' }));
  }, dialTimeoutMs);
  const stop = (): void => {
    clearTimeout(timer);
  };
  socket.once('connect', stop);
  socket.once('close', stop);
}
