import { limits } from '@kubechain/apimachinery';
import { callFrame, CallFrameReader, CallFrameType, corkForTurn } from '@kubechain/apimachinery/wire';
import type { CallFrameHandler } from '@kubechain/apimachinery/wire';
import type { Socket } from 'node:net';
import type { CallStream, CallStreamHandler } from './call-stream.ts';
import type { ConnectionPulse, PulsedConnection } from './connection-pulse.ts';
import { answerNotTaken, answerTooLong, connectionLost, EtcdError, errorFromGrpcStatus } from './etcd-error.ts';
import { refuseCompressed } from './refuse-compressed.ts';

/** Kept of a message that is too long: enough to tell whose answer it is. */
const overlongBytes = 5;
/** A status and a text. */
const longestEndBytes = 64 * 1024;
const ping = callFrame(CallFrameType.ping);
const end = callFrame(CallFrameType.end);

export interface FrameStreamOptions {
  readonly handler: CallStreamHandler;
  readonly pulse: ConnectionPulse;
  /** What errors call the server: `etcd at http://…`. */
  readonly server: string;
}

/** A call that has a connection of its own (docs/store-calls.md). */
export class FrameStream implements CallStream, CallFrameHandler, PulsedConnection {
  readonly #socket: Socket;
  readonly #handler: CallStreamHandler;
  readonly #pulse: ConnectionPulse;
  readonly #server: string;
  readonly #reader = new CallFrameReader(this);
  #over = false;
  #reading = true;
  #cause: Error | undefined;
  /** Counted here: sockets that others make may not. */
  bytesRead = 0;
  bytesWritten = 0;

  /** @param socket one whose server has switched protocols; what it reads is handed to `received` */
  constructor(socket: Socket, { handler, pulse, server }: FrameStreamOptions) {
    this.#socket = socket;
    this.#handler = handler;
    this.#pulse = pulse;
    this.#server = server;
    socket.once('error', (error) => {
      this.#cause = error;
    });
    socket.once('close', () => {
      this.#finish(this.#lost(this.#cause));
    });
    pulse.add(this);
  }

  get open(): boolean {
    return !this.#over;
  }

  get reading(): boolean {
    return this.#reading;
  }

  send(frame: Buffer): void {
    const socket = this.#socket;
    if (this.#over) return;
    corkForTurn(socket);
    this.bytesWritten += frame.length;
    socket.write(frame);
  }

  end(): void {
    this.send(end);
  }

  fail(error: EtcdError): void {
    this.#finish(error);
    this.#socket.destroy();
  }

  pause(): void {
    this.#reading = false;
    this.#socket.pause();
  }

  resume(): void {
    this.#reading = true;
    this.#socket.resume();
  }

  probe(): void {
    this.#pulse.probe(this);
  }

  ping(): void {
    this.send(ping);
  }

  lose(cause: Error): void {
    this.fail(this.#lost(cause));
  }

  /** Takes what the socket has read; it is not used after. */
  received(chunk: Buffer): void {
    if (this.#over) return;
    this.bytesRead += chunk.length;
    try {
      this.#reader.push(chunk);
    } catch (error) {
      this.fail(answerNotTaken(this.#server, error));
    }
  }

  head(type: number, length: number): number {
    switch (type) {
      case CallFrameType.message:
        if (length <= limits.storeAnswer.value) return length;
        if (this.#handler.overlong !== undefined) return overlongBytes;
        throw answerTooLong(this.#server);
      case 1:
        refuseCompressed(true);
        break;
      case CallFrameType.pong:
      case CallFrameType.goingAway:
        if (length === 0) return 0;
        break;
      case CallFrameType.end:
        if (length > 0 && length <= longestEndBytes) return length;
        break;
      default:
    }
    throw new EtcdError('Internal', `${this.#server} sent a frame of type ${type} with ${length} bytes`);
  }

  frame(type: number, payload: Buffer, length: number): void {
    if (this.#over) return;
    switch (type) {
      case CallFrameType.message:
        if (payload.length === length) this.#handler.message(payload);
        else this.#handler.overlong?.(payload);
        return;
      case CallFrameType.pong:
        this.#pulse.answered(this);
        return;
      case CallFrameType.goingAway:
        if (this.#handler.goingAway === undefined)
          this.fail(new EtcdError('Unavailable', `${this.#server} takes no more calls`));
        else this.#handler.goingAway();
        return;
      default: {
        const status = payload.readUInt8(0);
        this.#finish(status === 0 ? undefined : errorFromGrpcStatus(status, payload.toString('utf8', 1)));
        this.#socket.destroy();
      }
    }
  }

  #lost(cause: Error | undefined): EtcdError {
    return connectionLost(this.#server, { cause });
  }

  #finish(error: EtcdError | undefined): void {
    if (this.#over) return;
    this.#over = true;
    this.#pulse.delete(this);
    this.#handler.ended(error);
  }
}
