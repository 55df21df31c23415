import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import type { ServerRequestContext } from '../request/server-request-context.ts';

/** A body as it went over the connection, but that it is not compressed. */
export interface JournalBody {
  readonly contentType: string;
  /** Length on the connection. */
  readonly bytes: number;
  readonly text?: string;
  /** In place of `text` where the bytes are none: protobuf. */
  readonly base64?: string;
  /** Why there is neither: it is longer than 256 KiB, or a secret's. */
  readonly omitted?: 'large' | 'secret';
}

/** What was sent and what was answered; without `body` where there was none. */
export interface JournalBodies {
  readonly requestBody?: JournalBody;
  readonly answerBody?: JournalBody;
}

/** What is recorded from now on. */
export interface BodyRecording {
  readonly record: boolean;
  /** Secrets, their like and tokens too. */
  readonly secrets: boolean;
}

/** A call of the control API that says something else of bodies. */
export class BodyRecordingError extends Error {
  override readonly name = 'BodyRecordingError';
}

/** @throws BodyRecordingError */
export function parseBodyRecording(value: unknown): BodyRecording {
  const { record, secrets = false, ...others } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) throw new BodyRecordingError(`${JSON.stringify(unknown)} is unknown: record, secrets`);
  if (typeof record !== 'boolean' || typeof secrets !== 'boolean')
    throw new BodyRecordingError('record and secrets are true or false');
  return { record, secrets };
}

/** Longer bodies are left out. */
const mostBytes = 256 * 1024;
/** What is kept of all; the oldest go. */
const mostBytesOfAll = 64 * 1024 * 1024;
/** What an answer may become when it is unpacked. */
const mostUnpackedBytes = 16 * 1024 * 1024;

/** One body on its way. */
class Passing {
  bytes = 0;
  #chunks: Buffer[] = [];

  /** Of the writer's memory, which may be used again. */
  add(chunk: unknown, encoding?: unknown): void {
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : chunk instanceof Uint8Array
          ? chunk
          : undefined;
    if (bytes === undefined) return;
    this.bytes += bytes.length;
    if (this.bytes > mostBytes) this.#chunks = [];
    else this.#chunks.push(Buffer.from(bytes));
  }

  get content(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

interface Exchanged {
  readonly request: Passing;
  readonly answer: Passing;
  readonly secret: boolean;
}

/** A body that is kept. */
interface Kept {
  readonly contentType: string;
  readonly contentEncoding: string;
  readonly bytes: number;
  content: Buffer | undefined;
  omitted: JournalBody['omitted'];
}

/**
 * Keeps the bodies of requests that do not go on and on, as the first server sees them: 64 MiB of the newest. Off until
 * somebody asks for it.
 */
export class BodyRecorder {
  #recording: BodyRecording = { record: false, secrets: false };
  readonly #passing = new WeakMap<ServerRequestContext, Exchanged>();
  readonly #kept = new Map<number, { readonly request: Kept; readonly answer: Kept }>();
  #bytes = 0;

  get recording(): BodyRecording {
    return this.#recording;
  }

  /** What was kept stays. */
  set(recording: BodyRecording): void {
    this.#recording = recording;
  }

  /** To be called before anybody reads the request. */
  begin(context: ServerRequestContext): void {
    if (!this.#recording.record || context.longRunning || this.#passing.has(context)) return;
    const exchanged = { request: new Passing(), answer: new Passing(), secret: isSecret(context) };
    this.#passing.set(context, exchanged);
    follow(context.request, exchanged.request);
    followAnswer(context.response, exchanged.answer);
  }

  /** The request has become entry `id` of the journal. */
  end(context: ServerRequestContext, id: number): void {
    const exchanged = this.#passing.get(context);
    if (exchanged === undefined) return;
    const { request, response } = context;
    const hidden = exchanged.secret && !this.#recording.secrets;
    const kept = {
      request: keep(exchanged.request, hidden, {
        contentType: request.headers['content-type'] ?? '',
        contentEncoding: request.headers['content-encoding'] ?? '',
      }),
      answer: keep(exchanged.answer, hidden, {
        contentType: String(response.getHeader('content-type') ?? ''),
        contentEncoding: String(response.getHeader('content-encoding') ?? ''),
      }),
    };
    this.#kept.set(id, kept);
    this.#bytes += lengthOf(kept.request) + lengthOf(kept.answer);
    for (const [oldest, { answer, request: sent }] of this.#kept) {
      if (this.#bytes <= mostBytesOfAll) break;
      this.#bytes -= lengthOf(sent) + lengthOf(answer);
      if (oldest === id) break;
      this.#kept.delete(oldest);
    }
  }

  /** Those of an entry; nothing where none was recorded, or newer ones have taken their place. */
  of(id: number): JournalBodies {
    const kept = this.#kept.get(id);
    if (kept === undefined) return {};
    return {
      ...(kept.request.bytes === 0 ? {} : { requestBody: shown(kept.request) }),
      ...(kept.answer.bytes === 0 ? {} : { answerBody: shown(kept.answer) }),
    };
  }
}

function lengthOf({ content }: Kept): number {
  return content?.length ?? 0;
}

/** Objects that hold secrets, and requests for tokens. */
function isSecret({ requestInfo: { resource, subresource } }: ServerRequestContext): boolean {
  return (
    resource === 'secrets' || resource === 'tokenreviews' || (resource === 'serviceaccounts' && subresource === 'token')
  );
}

/** Whoever reads the stream, by events or in turns, each piece is emitted once. */
function follow(request: IncomingMessage, into: Passing): void {
  const emit = request.emit.bind(request) as (event: string | symbol, ...values: unknown[]) => boolean;
  request.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    if (event === 'data') into.add(values[0]);
    return emit(event, ...values);
  };
}

function followAnswer(response: ServerResponse, into: Passing): void {
  // `end` of HTTP/2 writes what it is given by `write`.
  let ending = false;
  const write = response.write.bind(response) as (...values: unknown[]) => boolean;
  const end = response.end.bind(response) as (...values: unknown[]) => ServerResponse;
  response.write = (...values: unknown[]): boolean => {
    if (!ending) into.add(values[0], values[1]);
    return write(...values);
  };
  response.end = (...values: unknown[]): ServerResponse => {
    if (!ending) into.add(values[0], values[1]);
    ending = true;
    return end(...values);
  };
}

function keep(passing: Passing, secret: boolean, form: Pick<Kept, 'contentEncoding' | 'contentType'>): Kept {
  const omitted = passing.bytes > mostBytes ? 'large' : secret && passing.bytes > 0 ? 'secret' : undefined;
  return { ...form, bytes: passing.bytes, content: omitted === undefined ? passing.content : undefined, omitted };
}

function shown({ bytes, content, contentEncoding, contentType, omitted }: Kept): JournalBody {
  if (content === undefined) return { contentType, bytes, ...(omitted === undefined ? {} : { omitted }) };
  const plain = contentEncoding === 'gzip' ? unpacked(content) : content;
  return { contentType, bytes, ...(isUtf8(plain) ? { text: plain.toString() } : { base64: plain.toString('base64') }) };
}

/** As it is, where it was broken off or becomes too long. */
function unpacked(content: Buffer): Buffer {
  try {
    return gunzipSync(content, { maxOutputLength: mostUnpackedBytes });
  } catch {
    return content;
  }
}
