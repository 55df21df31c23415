import type { IncomingMessage } from 'node:http';
import { connect as connectSocket, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { refuseUpgrade } from '../director.ts';
import type { DelegateAddress } from './delegate-address.ts';
import { unreachableStatus } from './delegation-error.ts';
import type { ExchangeTermination } from '../../metrics/exchange-terminations.ts';
import { tlsTo, type HopTLS, type HopTLSSource } from './tls-to.ts';
import { connectionTo, whenConnected } from './when-connected.ts';
import { nodeTLS } from '../../certificates/node-tls.ts';

/** One upgrade on its way to the next process. */
export interface SpliceOptions {
  readonly name: string;
  readonly address: DelegateAddress;
  readonly tls?: HopTLSSource;
  readonly connectTimeoutMs: number;
  /** As `HopClientOptions`. */
  readonly patienceMs?: number;
  readonly request: IncomingMessage;
  /** Flat name-value list, identity stamped, with Connection and Upgrade. */
  readonly headers: readonly string[];
  readonly socket: Duplex;
  /** What the client sent after its request. */
  readonly head: Buffer;
  /** Where the sockets are kept until they close. */
  readonly sockets: Set<Duplex>;
  /** Told once when both sides are over. */
  readonly ended: (reason: ExchangeTermination) => void;
}

/**
 * Connects the client's socket with one to the next process and repeats the request there; from then on bytes go
 * through untouched both ways, the target's response head included, each side half-closing for itself.
 */
export function spliceUpgrade(options: SpliceOptions): void {
  const { address, socket, sockets, connectTimeoutMs, patienceMs = connectTimeoutMs, name } = options;
  const target = connect(address, options.tls?.());
  sockets.add(target);
  let connected = false;
  // The first that is known of counts; the other side follows from it.
  let reason: ExchangeTermination | undefined;
  whenConnected(target, { ...connectionTo(address), withinMs: connectTimeoutMs, patienceMs }, (failed) => {
    // Told below.
    if (failed !== null) return;
    connected = true;
    // Header values are bytes in the form of Latin-1 text, as Node gives and takes them.
    target.write(requestHead(options), 'latin1');
    if (options.head.length > 0) target.write(options.head);
    socket.pipe(target);
    target.pipe(socket);
    target.once('end', () => {
      reason ??= { kind: 'completed' };
    });
  });
  target.on('error', (error) => {
    reason ??= { kind: connected ? 'broken' : 'unreachable', error };
    if (connected) socket.destroy();
    else
      refuseUpgrade(socket, {
        code: 503,
        text: 'Service Unavailable',
        body: JSON.stringify(unreachableStatus(name, error.message).status),
        retryAfterSeconds: 1,
      });
  });
  target.once('close', () => {
    sockets.delete(target);
    options.ended(reason ?? { kind: 'completed' });
    if (connected && !socket.writableEnded) socket.end();
  });
  socket.on('error', () => {
    reason ??= { kind: 'client_left' };
    target.destroy();
  });
  socket.once('end', () => {
    reason ??= { kind: 'client_left' };
  });
  socket.once('close', () => {
    reason ??= { kind: 'client_left' };
    target.destroy();
  });
}

function connect(address: DelegateAddress, tls: HopTLS | undefined): Socket {
  if (address.kind === 'unix') return connectSocket({ path: address.path, allowHalfOpen: true });
  return nodeTLS().connect(tlsTo(address, tls));
}

function requestHead({ request, headers }: SpliceOptions): string {
  let text = `${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/1.1\r\n`;
  for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`;
  return `${text}\r\n`;
}
