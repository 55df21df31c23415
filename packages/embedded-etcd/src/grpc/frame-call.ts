import {
  callFrame,
  CallFrameReader,
  CallFrameType,
  callFramesProtocol,
  corkForTurn,
} from '@kubechain/apimachinery/wire';
import type { CallFrameHandler } from '@kubechain/apimachinery/wire';
import type { Socket } from 'node:net';
import { EtcdError, etcdError, GrpcCode } from '../errors/etcd-error.ts';
import type { EtcdErrorReason } from '../errors/etcd-error.ts';
import { checkPrefix } from './check-prefix.ts';
import type { StreamHandler, StreamMethod, StreamReplies } from './method.ts';
import { toEtcdError } from './unary-call.ts';

const accepted = Buffer.from(
  `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${callFramesProtocol}\r\n\r\n`,
);
const pong = callFrame(CallFrameType.pong);
const goingAway = callFrame(CallFrameType.goingAway);
const noText = Buffer.alloc(0);
/** A client with as much before it has signs of life enough, and cannot ask for more memory with its pings. */
const mostBeforePongBytes = 64 * 1024;
/** How long a client may take to close a connection whose call is over. */
const lingerMs = 1_000;

/** One streaming call that has a connection of its own (docs/store-calls.md). */
export class FrameCall implements StreamReplies, CallFrameHandler {
  readonly #socket: Socket;
  readonly #reader = new CallFrameReader(this);
  readonly #handler: StreamHandler;
  #halfClosed = false;
  #over = false;

  /** @param first what has come behind the request to switch protocols */
  constructor(socket: Socket, method: StreamMethod, first: Buffer) {
    this.#socket = socket;
    socket.write(accepted);
    this.#handler = method.open(this);
    socket.on('data', (chunk: Buffer) => this.#data(chunk));
    socket.on('drain', () => {
      if (!this.#over) this.#handler.drained();
    });
    // A client that closes its side has gone: it says so when it only has nothing more to ask.
    socket.on('end', () => socket.destroy());
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#finish());
    if (first.length > 0) this.#data(first);
  }

  get queuedBytes(): number {
    return this.#socket.writableLength;
  }

  send(frame: Buffer, body?: Buffer): void {
    const socket = this.#socket;
    if (this.#over || socket.destroyed) return;
    // Replies of a commit go out as one.
    corkForTurn(socket);
    socket.write(frame);
    if (body !== undefined) socket.write(body);
  }

  readMore(more: boolean): void {
    if (more) this.#socket.resume();
    else if (!this.#over) this.#socket.pause();
  }

  end(): void {
    this.#end(GrpcCode.ok, noText);
  }

  fail(reason: EtcdErrorReason): void {
    this.#refuse(etcdError(reason));
  }

  /** Tells the client to ask nothing more here; what it has asked is answered. */
  goAway(): void {
    this.send(goingAway);
  }

  head(type: number, length: number): number {
    switch (type) {
      case CallFrameType.message:
      case 1:
        checkPrefix(type !== CallFrameType.message, length);
        return length;
      case CallFrameType.ping:
      case CallFrameType.end:
        if (length === 0) return 0;
        break;
      default:
    }
    throw new EtcdError(GrpcCode.invalidArgument, `calls: no frame of type ${type} has ${length} bytes`);
  }

  frame(type: number, payload: Buffer): void {
    if (this.#over) return;
    if (type === CallFrameType.ping) {
      if (this.queuedBytes < mostBeforePongBytes) this.send(pong);
    } else if (!this.#halfClosed) {
      if (type === CallFrameType.message) {
        this.#handler.message(payload);
        return;
      }
      this.#halfClosed = true;
      this.#handler.halfClosed();
    }
  }

  #data(chunk: Buffer): void {
    if (this.#over) return;
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.#refuse(toEtcdError(error));
    }
  }

  #refuse(error: EtcdError): void {
    this.#end(error.code, Buffer.from(error.message));
  }

  #end(status: number, text: Buffer): void {
    if (this.#over) return;
    const end = Buffer.allocUnsafe(1 + text.length);
    end.writeUInt8(status, 0);
    end.set(text, 1);
    this.send(callFrame(CallFrameType.end, end));
    this.#finish();
    const socket = this.#socket;
    socket.end();
    const timer = setTimeout(() => socket.destroy(), lingerMs);
    socket.once('close', () => clearTimeout(timer));
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    // What is left unread would reset the connection, and with it what was sent last.
    this.#socket.resume();
    this.#handler.closed();
  }
}
