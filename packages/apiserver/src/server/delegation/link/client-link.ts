import type { Socket } from 'node:net';
import { messageOf } from '@kubechain/apimachinery';
import { Logger } from '../../../logging/logger.ts';
import type { ExchangeTermination } from '../../../metrics/exchange-terminations.ts';
import { fieldsText, readCredit, readFields } from './fields.ts';
import { endFlag, FrameType, LinkProtocolError } from './frames.ts';
import { FrameReader, type FrameHandler } from './frame-reader.ts';
import { FrameWriter, type SendingStream } from './frame-writer.ts';
import { SentBlocks } from './header-blocks.ts';
import { PieceRun } from './piece-run.ts';
import type { ReadBuffers } from './read-buffers.ts';

const log = new Logger('link');

/** Numbers of requests on one link; then another is opened. */
const mostRequests = 0xffff_ff00;
/** Pieces below this are copied, with others of the same read: keeping a whole read for them costs more. */
const copyBelowBytes = 4 * 1024;

/** A request on its way over a link, as the link knows it. */
export interface LinkAnswer extends SendingStream {
  /** Pieces of the body that have come and were not handed over; the link's own. */
  run: PieceRun | undefined;
  /** The answer's head: a status, then names and values in turn. */
  head(status: number, fields: readonly string[]): void;
  information(status: number, fields: readonly string[]): void;
  /** A piece of the body, to be left alone; `used` is to be called when it is no longer needed. */
  body(piece: Buffer, used?: () => void): void;
  /** Pieces of the body, which other answers may have got as well; good until the call returns. */
  pieces(run: PieceRun): void;
  /** The answer is whole. */
  end(trailers: readonly string[] | undefined, last?: Buffer, used?: () => void): void;
  /** So many more bytes of the request's body may go out. */
  credited(bytes: number): void;
  /** There is no more to come: the other side, or the connection, has given up. */
  broken(error: Error): void;
  /** What came could not be passed on; nothing is to be expected of the client's connection. Does not throw. */
  failed(error: unknown): void;
}

/** Why this side, or the connection, has ended a link. */
type LinkEndKind = 'broken' | 'shutting_down' | 'unresponsive';

/** What a request is made of when it goes over a link. */
export interface LinkRequestParts {
  readonly method: string;
  readonly url: string;
  /** Names and values that the client's requests have in common. */
  readonly block: readonly string[];
  /** Those of this request alone. */
  readonly own: readonly string[];
  readonly hasBody: boolean;
}

/** One link, seen from the process that asks. */
export class ClientLink implements FrameHandler {
  readonly writer: FrameWriter;
  readonly #socket: Socket;
  readonly #buffers: ReadBuffers | undefined;
  readonly #reader = new FrameReader(this);
  readonly #blocks = new SentBlocks();
  readonly #answers = new Map<number, LinkAnswer>();
  /** Answers with a run, in the order in which these began. */
  #running: LinkAnswer[] = [];
  #noPieces = PieceRun.none();
  /** Grows with what comes. */
  heard = 0;
  #nextID = 1;
  #leaving = false;
  #error: Error | undefined = undefined;
  #endedBy: LinkEndKind = 'broken';
  #onOver: ((reason: ExchangeTermination) => void) | undefined = undefined;
  readonly #define = (number: number, text: string): void => {
    this.writer.text(FrameType.block, { id: number, text });
  };

  /** `buffers`: what the socket reads into, where it does. */
  constructor(socket: Socket, buffers?: ReadBuffers) {
    this.#socket = socket;
    this.#buffers = buffers;
    this.writer = new FrameWriter(socket);
    socket.on('error', (error) => {
      this.#error ??= error;
    });
    socket.once('end', () => {
      socket.end();
    });
    socket.once('close', () => {
      this.#lost();
    });
  }

  /** Whether requests can be sent over it. */
  get usable(): boolean {
    return !this.#leaving && !this.#socket.destroyed && this.#nextID < mostRequests;
  }

  /** Nothing comes over it any more. */
  get over(): boolean {
    return this.#socket.destroyed;
  }

  /** Requests that are not answered to their end. */
  get open(): number {
    return this.#answers.size;
  }

  nextID(): number {
    return this.#nextID++;
  }

  /** Sends a request, whose number is `answer.id`; false, and nothing sent, when its fields cannot go over a link. */
  request(answer: LinkAnswer, { block, hasBody, method, own, url }: LinkRequestParts): boolean {
    const text = fieldsText([method, url, ...own]);
    if (text === undefined) return false;
    const number = this.#blocks.numberOf(block, this.#define);
    if (number === undefined) return false;
    this.#answers.set(answer.id, answer);
    this.writer.text(FrameType.open, { flags: hasBody ? 0 : endFlag, id: answer.id, number, text });
    this.writer.ordered(answer);
    return true;
  }

  /** A piece of a request's body, to be left alone. */
  body(answer: LinkAnswer, piece: Uint8Array): void {
    this.writer.body(answer, piece);
  }

  /** A request's body is whole. */
  bodyEnd(answer: LinkAnswer): void {
    this.writer.frame(FrameType.data, { flags: endFlag, id: answer.id });
  }

  credit(answer: LinkAnswer, bytes: number): void {
    this.writer.number(FrameType.credit, answer.id, bytes);
  }

  /** Nobody waits for the answer any more. */
  reset(answer: LinkAnswer): void {
    if (!this.#answers.delete(answer.id)) return;
    this.writer.frame(FrameType.reset, { id: answer.id });
    this.#leaveWhenDone();
  }

  /** Ends it at once; the first error counts, and is told to all who wait for answers. */
  destroy(error: Error, kind: LinkEndKind = 'broken'): void {
    if (this.#error === undefined) this.#endedBy = kind;
    this.#error ??= error;
    this.#socket.destroy();
  }

  /** Tells why, once nothing comes over it any more. */
  onceOver(listener: (reason: ExchangeTermination) => void): void {
    this.#onOver = listener;
  }

  received(chunk: Buffer): void {
    this.heard++;
    try {
      this.#reader.push(chunk);
    } catch (error) {
      if (!(error instanceof LinkProtocolError)) throw error;
      log.warning('Link closed: what came over it cannot be read', { err: messageOf(error) });
      this.destroy(error);
    } finally {
      this.#handOver();
    }
  }

  frame(type: number, flags: number, id: number, payload: Buffer): void {
    if (type === FrameType.shared) {
      this.#shared(payload);
      return;
    }
    if (type === FrameType.goaway) {
      this.#leaving = true;
      this.#leaveWhenDone();
      return;
    }
    const answer = this.#answers.get(id);
    // Of a request that was given up here.
    if (answer === undefined) return;
    if (answer.run !== undefined) this.#handOverRun(answer);
    try {
      this.#answerFrame(answer, type, payload);
    } catch (error) {
      if (error instanceof LinkProtocolError) throw error;
      this.#failed(answer, error);
    }
  }

  data(id: number, flags: number, piece: Buffer, last: boolean): void {
    const answer = this.#answers.get(id);
    if (answer === undefined) return;
    const ends = last && (flags & endFlag) !== 0;
    if (!ends && piece.length > 0 && piece.length < copyBelowBytes) {
      this.#gather(answer, piece);
      return;
    }
    if (answer.run !== undefined) this.#handOverRun(answer);
    if (ends) this.#over(id);
    try {
      if (piece.length > 0) this.#bodyPiece(answer, piece, ends);
      else if (ends) answer.end(undefined);
    } catch (error) {
      this.#failed(answer, error);
    }
  }

  #answerFrame(answer: LinkAnswer, type: number, payload: Buffer): void {
    switch (type) {
      case FrameType.head:
      case FrameType.information: {
        const fields = readFields(payload);
        if (!/^[1-9]\d\d$/.test(fields[0] ?? '') || fields.length % 2 === 0)
          throw new LinkProtocolError('an answer without a status');
        const status = Number(fields.shift());
        if (type === FrameType.head) answer.head(status, fields);
        else answer.information(status, fields);
        return;
      }
      case FrameType.trailers:
        this.#over(answer.id);
        answer.end(readFields(payload));
        return;
      case FrameType.credit:
        answer.credited(readCredit(payload));
        return;
      case FrameType.reset:
        this.#over(answer.id);
        answer.broken(Object.assign(new Error('the answer was cut'), { code: 'ECONNRESET' }));
        return;
      default:
        throw new LinkProtocolError(`a frame of type ${type} goes the other way`);
    }
  }

  #bodyPiece(answer: LinkAnswer, piece: Buffer, ends: boolean): void {
    // Only what was read into a buffer that is used again must be kept from it.
    const reused = this.#buffers;
    if (reused === undefined) deliver(answer, piece, ends);
    else if (piece.length < copyBelowBytes) deliver(answer, Buffer.from(piece), ends);
    else deliver(answer, piece, ends, reused.keep());
  }

  /** One client's response cannot be written to any more: that must not touch the others of the link. */
  #failed(answer: LinkAnswer, error: unknown): void {
    log.warning('An answer could not be passed on', { err: messageOf(error) });
    this.reset(answer);
    answer.failed(error);
  }

  /** The same bytes for several answers. */
  #shared(payload: Buffer): void {
    if (payload.length < 4) throw new LinkProtocolError('a shared frame for nobody');
    const count = payload.readUInt32BE(0);
    const start = 4 + 4 * count;
    if (payload.length < start) throw new LinkProtocolError('a shared frame without its numbers');
    const piece = payload.subarray(start);
    for (let at = 4; at < start; at += 4) {
      const answer = this.#answers.get(payload.readUInt32BE(at));
      if (answer !== undefined) this.#gather(answer, piece);
    }
  }

  /** Keeps a piece until all that was read has been looked at. */
  #gather(answer: LinkAnswer, piece: Buffer): void {
    if (answer.run === undefined) {
      answer.run = this.#noPieces.with(piece);
      this.#running.push(answer);
    } else answer.run = answer.run.with(piece);
  }

  #handOver(): void {
    if (this.#running.length === 0) return;
    const answers = this.#running;
    this.#running = [];
    for (const answer of answers) if (answer.run !== undefined) this.#handOverRun(answer);
    this.#noPieces = PieceRun.none();
  }

  #handOverRun(answer: LinkAnswer): void {
    const run = answer.run as PieceRun;
    answer.run = undefined;
    // It may have been given up by what came in between.
    if (!this.#answers.has(answer.id)) return;
    try {
      answer.pieces(run);
    } catch (error) {
      this.#failed(answer, error);
    }
  }

  #over(id: number): void {
    this.#answers.delete(id);
    this.#leaveWhenDone();
  }

  #leaveWhenDone(): void {
    if (!this.#leaving || this.#answers.size > 0) return;
    setImmediate(() => {
      this.writer.flush();
      this.#socket.end();
    });
  }

  #lost(): void {
    if (this.#leaving && this.#answers.size === 0 && this.#error === undefined) {
      this.#onOver?.({ kind: 'completed' });
      return;
    }
    const error = this.#error ?? Object.assign(new Error('connection lost'), { code: 'ECONNRESET' });
    const answers = [...this.#answers.values()];
    this.#answers.clear();
    for (const answer of answers) answer.broken(error);
    this.#onOver?.({ kind: this.#endedBy, error });
  }
}

function deliver(answer: LinkAnswer, piece: Buffer, ends: boolean, used?: () => void): void {
  if (ends) answer.end(undefined, piece, used);
  else answer.body(piece, used);
}
