import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { ForwardedIdentity } from '../identity-headers.ts';
import { headersOf } from './fields.ts';
import { LinkProtocolError, windowBytes } from './frames.ts';
import type { HeaderBlock } from './header-blocks.ts';

/** What a request says to the connection that it came over. */
export interface RequestOwner {
  /** So many more bytes of its body may come. */
  credit(id: number, bytes: number): void;
}

/** What is known of a request when it is opened. */
export interface OpenedRequest {
  readonly id: number;
  readonly owner: RequestOwner;
  readonly socket: Socket;
  readonly block: HeaderBlock;
  /** Method, URL, then names and values in turn. */
  readonly fields: readonly string[];
  readonly hasBody: boolean;
}

/** Credit is given in pieces of this size: one frame for many small reads. */
const creditBytes = windowBytes / 4;

/** A request that came over a link, with the members of `IncomingMessage` that handlers use. */
export class LinkRequest extends Readable {
  readonly method: string;
  url: string;
  readonly headers: Record<string, string>;
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly httpVersionMinor = 1;
  readonly trailers = {};
  readonly socket: Socket;
  /** Whether bytes follow; headers cannot tell when the length was not known. */
  readonly hasBody: boolean;
  /** The body has come to its end. */
  complete: boolean;
  readonly #id: number;
  readonly #owner: RequestOwner;
  readonly #block: HeaderBlock;
  readonly #own: readonly string[];
  #raw: readonly string[] | undefined = undefined;
  /** Bytes that have come and were not paid back in credit. */
  #uncredited = 0;

  /** @throws LinkProtocolError */
  constructor({ block, fields, hasBody, id, owner, socket }: OpenedRequest) {
    super({ highWaterMark: 64 * 1024 });
    if (fields.length < 2 || fields.length % 2 !== 0) throw new LinkProtocolError('a request without method and URL');
    this.method = fields[0] as string;
    this.url = fields[1] as string;
    this.#own = fields.slice(2);
    this.#block = block;
    this.headers = headersOf(this.#own, block.headers);
    this.#id = id;
    this.#owner = owner;
    this.socket = socket;
    this.hasBody = hasBody;
    this.complete = !hasBody;
    if (!hasBody) this.push(null);
  }

  get rawHeaders(): readonly string[] {
    return (this.#raw ??= [...this.#block.raw, ...this.#own]);
  }

  /** Who the process in front says the request is from: read once for all requests with the same fields. */
  get forwardedIdentity(): ForwardedIdentity | undefined {
    return this.#block.identity;
  }

  /** A piece of the body has come. */
  received(piece: Buffer): void {
    if (this.destroyed || this.complete) return;
    this.#uncredited += piece.length;
    this.push(piece);
  }

  /** The body is whole. */
  ended(): void {
    if (this.complete) return;
    this.complete = true;
    if (!this.destroyed) this.push(null);
  }

  override _read(): void {
    if (this.complete || this.#uncredited < creditBytes) return;
    this.#owner.credit(this.#id, this.#uncredited);
    this.#uncredited = 0;
  }

  setTimeout(): this {
    return this;
  }
}
