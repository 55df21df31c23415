import { EventEmitter } from 'node:events';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { hopByHop } from '../hop-by-hop.ts';
import type { LinkRequest } from './link-request.ts';
import { fieldsText } from './fields.ts';
import { endFlag, FrameType, windowBytes } from './frames.ts';
import type { FrameWriter, SendingStream } from './frame-writer.ts';

const { validateHeaderName, validateHeaderValue } = process.getBuiltinModule('node:http');

type HeaderValue = number | string | readonly string[];
type Sent = () => void;

/** What a response says to the connection that it goes over. */
export interface ResponseOwner {
  readonly writer: FrameWriter;
  /** The connection has more to write than its peer takes. */
  readonly congested: boolean;
  /** Calls the response when the connection is free again. */
  waitForDrain(response: LinkResponse): void;
  /** The response is over, sent or not. */
  closed(id: number): void;
}

/** Bodies below this leave in one piece with their end. */
const copyBelowBytes = 4 * 1024;

/**
 * The answer to a request that came over a link, with the members of `ServerResponse` that handlers use. Bytes of the
 * body go out while the other side has given credit for any; `write` answers false when it has not, and `drain`
 * follows.
 */
export class LinkResponse extends EventEmitter implements SendingStream {
  readonly id: number;
  readonly req: LinkRequest;
  lastTurn = 0;
  lastPlace = 0;
  statusCode = 200;
  statusMessage = '';
  sendDate = true;
  shouldKeepAlive = true;
  headersSent = false;
  writableEnded = false;
  writableFinished = false;
  destroyed = false;
  writableNeedDrain = false;
  readonly #owner: ResponseOwner;
  /** By lower-case name. */
  readonly #headers = new Map<string, { readonly name: string; readonly value: HeaderValue }>();
  #trailers: string[] = [];
  #credit = windowBytes;
  /** Written, but not sent for want of credit. */
  #waiting: { readonly bytes: Uint8Array; readonly sent: Sent | undefined }[] = [];
  #waitingBytes = 0;
  #closed = false;

  constructor(request: LinkRequest, id: number, owner: ResponseOwner) {
    super();
    this.req = request;
    this.id = id;
    this.#owner = owner;
  }

  get socket(): Socket {
    return this.req.socket;
  }
  get finished(): boolean {
    return this.writableEnded;
  }
  get writable(): boolean {
    return !this.writableEnded && !this.destroyed;
  }
  get writableLength(): number {
    return this.#waitingBytes;
  }
  get writableHighWaterMark(): number {
    return windowBytes;
  }
  get writableObjectMode(): boolean {
    return false;
  }
  get closed(): boolean {
    return this.#closed;
  }

  setHeader(name: string, value: HeaderValue): this {
    this.#checkUnsent('set');
    validateHeaderName(name);
    if (Array.isArray(value)) for (const one of value) validateHeaderValue(name, one as string);
    else validateHeaderValue(name, String(value));
    this.#headers.set(name.toLowerCase(), { name, value });
    return this;
  }

  appendHeader(name: string, value: string | readonly string[]): this {
    const before = this.#headers.get(name.toLowerCase());
    if (before === undefined) return this.setHeader(name, value);
    const earlier = Array.isArray(before.value) ? (before.value as string[]) : [String(before.value)];
    return this.setHeader(before.name, [...earlier, ...(typeof value === 'string' ? [value] : value)]);
  }

  getHeader(name: string): HeaderValue | undefined {
    return this.#headers.get(name.toLowerCase())?.value;
  }

  getHeaders(): OutgoingHttpHeaders {
    const headers = Object.create(null) as OutgoingHttpHeaders;
    for (const [lower, { value }] of this.#headers) headers[lower] = value as string;
    return headers;
  }

  getHeaderNames(): string[] {
    return [...this.#headers.keys()];
  }

  hasHeader(name: string): boolean {
    return this.#headers.has(name.toLowerCase());
  }

  removeHeader(name: string): void {
    this.#checkUnsent('remove');
    this.#headers.delete(name.toLowerCase());
  }

  writeHead(status: number, ...rest: readonly unknown[]): this {
    this.#checkUnsent('write');
    this.statusCode = status;
    const headers = typeof rest[0] === 'string' ? rest[1] : rest[0];
    if (Array.isArray(headers))
      for (let i = 0; i < headers.length; i += 2) this.setHeader(String(headers[i]), headers[i + 1] as HeaderValue);
    else if (typeof headers === 'object' && headers !== null)
      for (const [name, value] of Object.entries(headers))
        if (value !== undefined) this.setHeader(name, value as HeaderValue);
    // As Node does: the head waits for the first bytes, or for the end, to leave with them.
    this.headersSent = true;
    return this;
  }

  flushHeaders(): void {
    if (!this.#headOut && !this.destroyed) this.#sendHead();
  }

  write(chunk: string | Uint8Array, encodingOrSent?: BufferEncoding | Sent, sent?: Sent): boolean {
    const [encoding, callback] = optional(encodingOrSent, sent);
    if (this.writableEnded || this.destroyed) {
      // As writes to a stream that is gone: nothing comes of them.
      if (callback !== undefined) process.nextTick(callback);
      return false;
    }
    if (!this.#headOut) this.#sendHead();
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk;
    if (bytes.length === 0 || !this.#hasBody) {
      if (callback !== undefined) process.nextTick(callback);
      return true;
    }
    this.#send(bytes, callback);
    const more = this.#credit > 0 && this.#waiting.length === 0 && !this.#owner.congested;
    if (!more && !this.writableNeedDrain) {
      this.writableNeedDrain = true;
      if (this.#owner.congested) this.#owner.waitForDrain(this);
    }
    return more;
  }

  end(chunk?: string | Uint8Array | Sent | null, encodingOrSent?: BufferEncoding | Sent, sent?: Sent): this {
    const body = typeof chunk === 'function' ? undefined : chunk;
    const [encoding, callback] = optional(typeof chunk === 'function' ? chunk : encodingOrSent, sent);
    if (this.writableEnded || this.destroyed) {
      if (callback !== undefined) process.nextTick(callback);
      return this;
    }
    const bytes = typeof body === 'string' ? Buffer.from(body, encoding) : (body ?? undefined);
    if (!this.#headOut) {
      if (this.#bodyAllowed && !this.#headers.has('content-length') && !this.#headers.has('trailer'))
        this.#headers.set('content-length', { name: 'Content-Length', value: String(bytes?.length ?? 0) });
      this.#sendHead();
    }
    this.writableEnded = true;
    if (callback !== undefined) this.once('finish', callback);
    const last = bytes !== undefined && bytes.length > 0 && this.#hasBody ? bytes : undefined;
    if (
      last !== undefined &&
      last.length < copyBelowBytes &&
      this.#waiting.length === 0 &&
      this.#trailers.length === 0
    ) {
      this.#owner.writer.frame(FrameType.data, { flags: endFlag, id: this.id, payload: last });
      this.#over();
      return this;
    }
    if (last !== undefined) this.#send(last, undefined);
    if (this.#waiting.length === 0) this.#sendEnd();
    return this;
  }

  addTrailers(trailers: Readonly<Record<string, string>> | readonly (readonly [string, string])[]): void {
    const pairs = Array.isArray(trailers) ? (trailers as [string, string][]) : Object.entries(trailers);
    for (const [name, value] of pairs) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
      this.#trailers.push(name, value);
    }
  }

  writeEarlyHints(hints: Readonly<Record<string, string | readonly string[]>>, callback?: () => void): void {
    const fields = ['103'];
    for (const [name, value] of Object.entries(hints)) {
      const text = typeof value === 'string' ? value : value.join(', ');
      validateHeaderName(name);
      validateHeaderValue(name, text);
      fields.push(name, text);
    }
    this.#owner.writer.text(FrameType.information, { id: this.id, text: fieldsText(fields) as string });
    this.#owner.writer.ordered(this);
    if (callback !== undefined) process.nextTick(callback);
  }

  writeContinue(): void {
    /* the process in front has told its client */
  }
  writeProcessing(): void {
    /* nobody waits for it */
  }
  cork(): void {
    /* everything of one turn leaves together */
  }
  uncork(): void {
    /* as cork */
  }
  setTimeout(): this {
    return this;
  }

  /** Breaks the answer off: its client must not take what it has for the whole. */
  destroy(): this {
    if (this.destroyed) return this;
    this.destroyed = true;
    if (!this.#ended) this.#owner.writer.frame(FrameType.reset, { id: this.id });
    this.#drop();
    process.nextTick(closeLater, this);
    return this;
  }

  /** The other side, or the connection, has given the stream up. */
  abandoned(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.#drop();
    if (!this.req.complete) this.req.destroy();
    this.close();
  }

  /** So many more bytes may go out. */
  credited(bytes: number): void {
    this.#credit += bytes;
    while (this.#credit > 0) {
      const next = this.#waiting.shift();
      if (next === undefined) break;
      this.#waitingBytes -= next.bytes.length;
      this.#sendNow(next.bytes, next.sent);
    }
    if (this.#waiting.length > 0 || this.destroyed) return;
    if (this.writableEnded) {
      if (!this.#ended) this.#sendEnd();
    } else if (this.#credit > 0) this.drained();
  }

  /** Tells who waits that more can be written. */
  drained(): void {
    if (!this.writableNeedDrain || this.destroyed) return;
    if (this.#owner.congested) this.#owner.waitForDrain(this);
    else if (this.#credit > 0 && this.#waiting.length === 0) {
      this.writableNeedDrain = false;
      this.emit('drain');
    }
  }

  /** Everything is over; `finish` has come before when all was sent. Once. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#owner.closed(this.id);
    this.emit('close');
  }

  #headOut = false;
  #ended = false;

  get #bodyAllowed(): boolean {
    return this.statusCode !== 204 && this.statusCode !== 304;
  }
  get #hasBody(): boolean {
    return this.#bodyAllowed && this.req.method !== 'HEAD';
  }

  #sendHead(): void {
    // Those who want a last word on the headers have put themselves before it.
    if (!this.headersSent) this.writeHead(this.statusCode);
    this.#headOut = true;
    const fields = [String(this.statusCode)];
    const auditID = this.req.headers['audit-id'];
    for (const [lower, { name, value }] of this.#headers) {
      if (hopByHop.has(lower)) continue;
      if (typeof value === 'string') {
        // The process in front has given it.
        if (lower !== 'audit-id' || value !== auditID) fields.push(name, value);
      } else if (typeof value === 'number') fields.push(name, String(value));
      else for (const one of value) fields.push(name, one);
    }
    this.#owner.writer.text(FrameType.head, { id: this.id, text: fieldsText(fields) as string });
    this.#owner.writer.ordered(this);
  }

  #send(bytes: Uint8Array, sent: Sent | undefined): void {
    if (this.#credit > 0 && this.#waiting.length === 0) {
      this.#sendNow(bytes, sent);
      return;
    }
    this.#waiting.push({ bytes, sent });
    this.#waitingBytes += bytes.length;
  }

  #sendNow(bytes: Uint8Array, sent: Sent | undefined): void {
    this.#credit -= bytes.length;
    this.#owner.writer.body(this, bytes, sent);
  }

  #sendEnd(): void {
    const { writer } = this.#owner;
    if (this.#trailers.length > 0)
      writer.text(FrameType.trailers, { flags: endFlag, id: this.id, text: fieldsText(this.#trailers) as string });
    else writer.frame(FrameType.data, { flags: endFlag, id: this.id });
    this.#over();
  }

  #over(): void {
    this.#ended = true;
    process.nextTick(finishLater, this);
  }

  #drop(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.#waitingBytes = 0;
    for (const { sent } of waiting) sent?.();
  }

  #checkUnsent(what: string): void {
    if (this.headersSent)
      throw Object.assign(new Error(`Cannot ${what} headers after they are sent to the client`), {
        code: 'ERR_HTTP_HEADERS_SENT',
      });
  }
}

function finishLater(response: LinkResponse): void {
  if (response.destroyed) return;
  response.writableFinished = true;
  response.emit('finish');
  response.close();
}

function closeLater(response: LinkResponse): void {
  response.close();
}

function optional(
  encodingOrSent: BufferEncoding | Sent | undefined,
  sent: Sent | undefined,
): readonly [BufferEncoding | undefined, Sent | undefined] {
  return typeof encodingOrSent === 'function' ? [undefined, encodingOrSent] : [encodingOrSent, sent];
}
