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
  return new Opening(target, path, handler).outcome;
}

/**
 * A connection on its way to be a stream of frames. The first of these settles it:
 *
 *     dial ──error, closed, too late──▶ EtcdError
 *       │ connected; with TLS: agreed on frames, else refused
 *       ▼
 *     upgrade asked for ──`101`──▶ taken
 *       ├──any other answer──▶ refused
 *       └──closed, too late──▶ unclear; with TLS, whose handshake has said that frames are spoken: EtcdError
 */
class Opening {
  readonly #target: FrameTarget;
  readonly #path: string;
  readonly #handler: CallStreamHandler;
  readonly #isSecure: boolean;
  readonly #socket: Socket;
  readonly #outcome = Promise.withResolvers<FrameOpening>();
  #timer: NodeJS.Timeout;
  #isConnected = false;
  #failure: Error | undefined;
  /** What has come of the answer's head. */
  #head: Buffer | undefined;
  #stream: FrameStream | undefined;

  constructor(target: FrameTarget, path: string, handler: CallStreamHandler) {
    const { buffer, opening, options, url } = target;
    this.#target = target;
    this.#path = path;
    this.#handler = handler;
    this.#isSecure = url.startsWith('https:');
    this.#socket = dial(url, options, {
      protocols: [callFramesProtocol, 'h2'],
      onread: {
        buffer,
        callback: (bytes) => {
          this.#read(buffer.subarray(0, bytes));
          return true;
        },
      },
    });
    // Sockets that are not Node's own, as `dial` may be given, know no `onread`.
    this.#socket.on('data', (chunk: Buffer) => {
      this.#read(chunk);
    });
    opening.add(this.#socket);
    this.#timer = this.#patience(options.connectTimeoutMs);
    this.#socket.once('error', this.#failed);
    this.#socket.once('close', this.#closed);
    this.#socket.once(this.#isSecure ? 'secureConnect' : 'connect', () => {
      this.#connected();
    });
  }

  get outcome(): Promise<FrameOpening> {
    return this.#outcome.promise;
  }

  #connected(): void {
    this.#isConnected = true;
    if (this.#isSecure && (this.#socket as TLSSocket).alpnProtocol !== callFramesProtocol) {
      this.#settle({ kind: 'refused' });
      return;
    }
    if (!this.#isSecure) {
      clearTimeout(this.#timer);
      this.#timer = this.#patience(this.#target.options.connectTimeoutMs / 2);
    }
    this.#socket.write(
      `GET ${this.#path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${callFramesProtocol}\r\n\r\n`,
    );
  }

  #read(chunk: Buffer): void {
    if (this.#stream !== undefined) {
      this.#stream.received(chunk);
      return;
    }
    const head = this.#head === undefined ? Buffer.from(chunk) : Buffer.concat([this.#head, chunk]);
    this.#head = head;
    const beginning = head.toString('latin1', 0, taken.length);
    if (!taken.startsWith(beginning) || head.length > longestHeadBytes) {
      this.#settle({ kind: 'refused' });
      return;
    }
    const end = head.indexOf(headEnd);
    if (end === -1) return;
    const { pulse, server } = this.#target;
    const stream = new FrameStream(this.#socket, { handler: this.#handler, pulse, server });
    this.#stream = stream;
    this.#head = undefined;
    this.#settle({ kind: 'taken', stream });
    const rest = head.subarray(end + headEnd.length);
    if (rest.length > 0) stream.received(rest);
  }

  readonly #failed = (error: Error): void => {
    this.#failure = error;
  };

  /** With TLS the handshake says whether this is spoken; without, a server may close what it does not know. */
  readonly #closed = (): void => {
    this.#settle(
      this.#isConnected && !this.#isSecure && this.#target.opening.has(this.#socket) ? { kind: 'unclear' } : undefined,
    );
  };

  /** After a blocked turn of the event loop timers run before sockets: an answer that is there is not called late. */
  #patience(ms: number): NodeJS.Timeout {
    return setTimeout(
      () =>
        setImmediate(() =>
          setImmediate(() => {
            this.#late();
          }),
        ),
      ms,
    );
  }

  #late(): void {
    if (this.#stream !== undefined || !this.#target.opening.has(this.#socket)) return;
    this.#failure ??= new Error(`no connection within ${this.#target.options.connectTimeoutMs} ms`);
    this.#closed();
  }

  /** @param outcome undefined: no connection could be made */
  #settle(outcome: FrameOpening | undefined): void {
    clearTimeout(this.#timer);
    this.#target.opening.delete(this.#socket);
    this.#socket.off('error', this.#failed);
    this.#socket.off('close', this.#closed);
    if (outcome?.kind !== 'taken') {
      // It is given up: what becomes of it concerns nobody.
      this.#socket.on('error', () => undefined);
      this.#socket.destroy();
    }
    if (outcome !== undefined) this.#outcome.resolve(outcome);
    else
      this.#outcome.reject(
        new EtcdError('Unavailable', `${this.#target.server} cannot be reached: ${describeFailure(this.#failure)}`, {
          notSent: true,
          cause: this.#failure,
        }),
      );
  }
}
