import type { Socket } from 'node:net';
import { hasLast, isLingering } from './linger.ts';

/** Bytes that are parsed at a time: some dozens of the smallest requests. */
const fewBytes = 2 * 1024;
/** Bytes that are parsed at a time of what is no crowd of requests: a body, or a long head. */
const manyBytes = 16 * 1024;

type Parse = (this: Socket, piece: Buffer) => void;

/** The mark of Node's HTTP server on a connection from which it takes no requests until answers are written. */
type ParsedSocket = Socket & { readonly _paused?: boolean };

const inPieces = new WeakSet<Socket>();

/** Whether what is read from a connection goes by way of its stream. */
export function isReadInPieces(socket: Socket): boolean {
  return inPieces.has(socket);
}

/** Has what was read parsed, though nobody reads the body it belongs to, and some more read. */
export function readPiece(socket: ParsedSocket): void {
  // Nothing is parsed before answers are written: it would only be kept.
  if (socket._paused !== true) socket.read();
}

/**
 * What is read from a connection of HTTP/1.1, on its way to Node's parser. By itself, that parser begins all requests
 * of what was read, fifteen hundred of the smallest in 64 KiB, before anybody can stop it. Here it gets them a few
 * kilobytes at a time, and nothing while the connection is paused.
 */
export class RequestPieces {
  readonly #socket: ParsedSocket;
  readonly #parse: Parse;
  #rest: Buffer | undefined = undefined;
  #most = fewBytes;
  #parsing = false;
  #requests = 0;

  /** Takes the place of Node's listener for what is read; to be called when Node has begun with the connection. */
  constructor(socket: Socket) {
    this.#socket = socket;
    inPieces.add(socket);
    const [parse] = socket.listeners('data') as Parse[];
    this.#parse = parse ?? nothing;
    socket.removeListener('data', this.#parse);
    socket.on('data', this.#take);
    socket.on('resume', this.#goOn);
    // Node's parser has read from the handle itself; connections that are accepted in turns begin paused.
    socket.resume();
  }

  /** To be called when a request begins. */
  begun(): void {
    this.#requests++;
  }

  /** Requests that have begun. */
  get requests(): number {
    return this.#requests;
  }

  /** Whether it is not the client that keeps the next request from being read. */
  get waits(): boolean {
    return this.#rest !== undefined || this.#socket._paused === true;
  }

  /** Leaves the connection, and what was not parsed of it, to who has upgraded it. */
  leave(): Buffer {
    const rest = this.#rest ?? Buffer.alloc(0);
    this.#rest = undefined;
    inPieces.delete(this.#socket);
    this.#socket.removeListener('data', this.#take);
    this.#socket.removeListener('resume', this.#goOn);
    return rest;
  }

  readonly #take = (read: Buffer): void => {
    this.#rest = this.#rest === undefined ? read : Buffer.concat([this.#rest, read]);
    this.#parseRest();
  };

  /** Node resumes for its own reasons; who has set the mark resumes when it is gone. */
  readonly #goOn = (): void => {
    if (this.#socket._paused === true && !isLingering(this.#socket)) this.#socket.pause();
    else this.#parseRest();
  };

  #parseRest(): void {
    if (this.#parsing) return;
    this.#parsing = true;
    try {
      while (this.#rest !== undefined && this.#socket._paused !== true) this.#parsePiece(this.#rest);
    } finally {
      this.#parsing = false;
    }
  }

  #parsePiece(rest: Buffer): void {
    if (hasLast(this.#socket) || isLingering(this.#socket) || this.#socket.destroyed) {
      this.#rest = undefined;
      return;
    }
    const piece = rest.subarray(0, this.#most);
    this.#rest = piece.length < rest.length ? rest.subarray(piece.length) : undefined;
    const before = this.#requests;
    this.#parse.call(this.#socket, piece);
    this.#most = this.#requests > before ? fewBytes : Math.min(2 * this.#most, manyBytes);
  }
}

function nothing(): void {
  // There is no parser.
}
