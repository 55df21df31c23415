import { callFramesProtocol } from '@kubechain/apimachinery/wire';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { CallStreamHandler } from './call-stream.ts';
import type { ConnectionPulse } from './connection-pulse.ts';
import { describeFailure, dial } from './dial.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import { EtcdError } from './etcd-error.ts';
import { FrameStream } from './frame-stream.ts';

const headEnd = Buffer.from('\r\n\r\n');
const taken = 'HTTP/1.1 101 ';
/** A head of this kind has a hundred bytes. */
const longestHeadBytes = 16 * 1024;

/** Where connections of one call go. */
export interface FrameTarget {
  /** `http://host:port`, `https://host:port` or `unix:PATH`. */
  readonly url: string;
  /** What errors call the server: `etcd at http://…`. */
  readonly server: string;
  readonly options: EndpointOptions;
  readonly pulse: ConnectionPulse;
  /** What all of them are read into: nothing of it is used once a read has been taken. */
  readonly buffer: Buffer;
  /** Sockets of connections that are being made. */
  readonly opening: Set<Socket>;
}

/**
 * What came of it: `refused` by a server that says that it knows nothing of this (etcd, an older store), or `unclear`:
 * the server closed the connection, or said nothing for half of the time that a connection may take.
 */
export type FrameOpening =
  | { readonly kind: 'taken'; readonly stream: FrameStream }
  | { readonly kind: 'refused' }
  | { readonly kind: 'unclear' };

/**
 * Opens a connection for one call: an upgrade of HTTP/1.1, with TLS after a handshake that has agreed on it.
 * @throws EtcdError `Unavailable`, not sent, where no connection can be made
 */
export function openFrameStream(target: FrameTarget, path: string, handler: CallStreamHandler): Promise<FrameOpening> {
  const { buffer, opening, options, pulse, server, url } = target;
  return new Promise((resolve, reject) => {
    let stream: FrameStream | undefined;
    let head: Buffer | undefined;
    let isConnected = false;
    let failure: Error | undefined;
    const onRead = (chunk: Buffer): void => {
      if (stream !== undefined) {
        stream.received(chunk);
        return;
      }
      head = head === undefined ? Buffer.from(chunk) : Buffer.concat([head, chunk]);
      const beginning = head.toString('latin1', 0, taken.length);
      if (!taken.startsWith(beginning) || head.length > longestHeadBytes) {
        settle({ kind: 'refused' });
        return;
      }
      const end = head.indexOf(headEnd);
      if (end === -1) return;
      stream = new FrameStream(socket, { handler, pulse, server });
      settle({ kind: 'taken', stream });
      const rest = head.subarray(end + headEnd.length);
      head = undefined;
      if (rest.length > 0) stream.received(rest);
    };
    const socket = dial(url, options, {
      protocols: [callFramesProtocol, 'h2'],
      onread: {
        buffer,
        callback: (bytes) => {
          onRead(buffer.subarray(0, bytes));
          return true;
        },
      },
    });
    // Those that others have made are not read into the buffer.
    socket.on('data', onRead);
    opening.add(socket);
    const settle = (outcome: FrameOpening | undefined): void => {
      clearTimeout(timer);
      opening.delete(socket);
      socket.off('error', failed);
      socket.off('close', closed);
      if (outcome?.kind !== 'taken') {
        socket.on('error', () => undefined);
        socket.destroy();
      }
      if (outcome !== undefined) resolve(outcome);
      else
        reject(
          new EtcdError('Unavailable', `${server} cannot be reached: ${describeFailure(failure)}`, {
            notSent: true,
            cause: failure,
          }),
        );
    };
    const failed = (error: Error): void => {
      failure = error;
    };
    /** With TLS the handshake says whether this is spoken; without, a server may close what it does not know. */
    const closed = (): void => {
      settle(isConnected && !isSecure && opening.has(socket) ? { kind: 'unclear' } : undefined);
    };
    const late = (): void => {
      if (stream !== undefined || !opening.has(socket)) return;
      failure ??= new Error(`no connection within ${options.connectTimeoutMs} ms`);
      closed();
    };
    const isSecure = url.startsWith('https:');
    // After a blocked turn of the event loop timers run before sockets: an answer that is there is not called late.
    const patience = (ms: number): NodeJS.Timeout => setTimeout(() => setImmediate(() => setImmediate(late)), ms);
    let timer = patience(options.connectTimeoutMs);
    socket.once('error', failed);
    socket.once('close', closed);
    socket.once(isSecure ? 'secureConnect' : 'connect', () => {
      isConnected = true;
      if (isSecure && (socket as TLSSocket).alpnProtocol !== callFramesProtocol) {
        settle({ kind: 'refused' });
        return;
      }
      if (!isSecure) {
        clearTimeout(timer);
        timer = patience(options.connectTimeoutMs / 2);
      }
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${callFramesProtocol}\r\n\r\n`,
      );
    });
  });
}
