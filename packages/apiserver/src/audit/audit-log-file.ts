import {
  createReadStream,
  createWriteStream,
  fstatSync,
  openSync,
  closeSync,
  readdirSync,
  renameSync,
  statSync,
  unlinkSync,
  type WriteStream,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { setImmediate as immediate } from 'node:timers/promises';
import { createGzip } from 'node:zlib';
import type { JSONText } from '../request/json-text.ts';
import { Logger } from '../logging/logger.ts';
import { unusableFlag } from '../options/options-error.ts';
import type { AuditMetrics } from './audit-metrics.ts';
import {
  eventText,
  keptSize,
  textPieces,
  textSize,
  type EventText,
  type AuditBackend,
  type AuditEvent,
  type AuditHold,
} from './audit-event.ts';

const log = new Logger('audit');

/** Bytes that may wait for the disk; a disk that is slower loses events, not the server's memory. */
const maxBufferedBytes = 64 * 1024 * 1024;
/** An object up to this size is joined with what is around it; larger ones come in pieces. */
const shortBytes = 64 * 1024;
/**
 * Up to so many bytes, in up to so many pieces, lines are written with one call: other processes append to the same
 * file, and what they write meanwhile would stand within a line. A call takes 1,024 pieces (IOV_MAX of Linux).
 */
const wholeBytes = 64 * 1024 * 1024;
const wholePieces = 1_000;
const newline = 0x0a;
const space = 0x20;
const dayMs = 86_400_000;

/** Lines that wait for those before them. */
interface Queued {
  readonly text: EventText;
  readonly bytes: number;
  /** Of them, those that take memory while it waits. */
  readonly kept: number;
  readonly written: (taken: boolean) => void;
}

/** Where events go, and when files are rotated; 0 means no limit. */
export interface AuditLogFileOptions {
  /** `-` is standard output. */
  readonly path: string;
  readonly format: 'json' | 'legacy';
  readonly maxSizeMegabytes: number;
  readonly maxBackups: number;
  readonly maxAgeDays: number;
  readonly metrics: AuditMetrics;
  /** Whether rotated files are compressed (`.gz`). */
  readonly compress?: boolean;
  /** Default: nothing. */
  readonly holds?: AuditHold;
}

/** The log backend: one JSON object a line, written in the background, rotated by size (plugin/pkg/audit/log). */
export class AuditLogFile implements AuditBackend {
  readonly holds: AuditHold;
  readonly #options: AuditLogFileOptions;
  #stream: Writable;
  #size = 0;
  #lost = 0;
  /** Bounded by maxBufferedBytes, but for the first, which is being written: more are lost. */
  readonly #queue: Queued[] = [];
  #queuedBytes = 0;
  #emptying: Promise<void> | undefined;

  /** @throws OptionsError for a path that cannot be written */
  constructor(options: AuditLogFileOptions) {
    this.holds = options.holds ?? 'nothing';
    this.#options = options;
    this.#stream = options.path === '-' ? process.stdout : this.#open();
  }

  process(events: readonly AuditEvent[]): boolean | Promise<boolean> {
    if (this.#stream.writableLength + this.#queuedBytes - (this.#queue[0]?.kept ?? 0) > maxBufferedBytes) {
      if (this.#lost === 0) this.#options.metrics.lost('log', 'the log cannot be written fast enough', events);
      this.#lost += events.length;
      return false;
    }
    if (this.#lost > 0) log.warning('Audit events were lost', { lost: this.#lost });
    this.#lost = 0;
    const text = linesOf(events, this.#options.format);
    const [only = '', ...more] = text;
    if (more.length > 0 || typeof only !== 'string' || this.#queue.length > 0) return this.#enqueue(text);
    const taken = this.#write(only);
    this.#count(Buffer.byteLength(only));
    return taken;
  }

  #count(bytes: number): void {
    const { maxSizeMegabytes, path } = this.#options;
    this.#size += bytes;
    if (maxSizeMegabytes > 0 && this.#size >= maxSizeMegabytes * 1024 * 1024 && path !== '-') this.#rotate();
  }

  #enqueue(text: EventText): Promise<boolean> {
    const bytes = textSize(text);
    const kept = keptSize(text);
    this.#queuedBytes += kept;
    return new Promise((written) => {
      this.#queue.push({ text, bytes, kept, written });
      this.#emptying ??= this.#empty().finally(() => (this.#emptying = undefined));
    });
  }

  /** Writes what waits, as the disk takes it. */
  async #empty(): Promise<void> {
    for (let next = this.#queue[0]; next !== undefined; next = this.#queue[0]) {
      const taken = await this.#writeLines(next);
      this.#queue.shift();
      this.#queuedBytes -= next.kept;
      this.#count(next.bytes);
      next.written(taken);
    }
  }

  async #writeLines({ bytes, text }: Queued): Promise<boolean> {
    if (bytes <= wholeBytes) return this.#writeWhole(text);
    let taken = true;
    for (const piece of textPieces(text))
      taken = (await this.#writePiece(typeof piece === 'string' ? piece : inOneLine(piece))) && taken;
    return taken;
  }

  async #writeWhole(text: EventText): Promise<boolean> {
    let pieces: Uint8Array[] = [];
    const joined: Uint8Array[] = [];
    for (const piece of textPieces(text)) {
      pieces.push(typeof piece === 'string' ? Buffer.from(piece) : inOneLine(piece));
      if (pieces.length === wholePieces) {
        joined.push(Buffer.concat(pieces));
        pieces = [];
      }
      await immediate();
    }
    if (joined.length > 0) pieces = [...joined, Buffer.concat(pieces)];
    // What waits in the stream already would be part of the same call.
    await this.#writePiece('');
    const stream = this.#stream;
    stream.cork();
    const last = pieces.pop() ?? '';
    for (const piece of pieces) stream.write(piece);
    const taken = this.#writePiece(last);
    stream.uncork();
    return taken;
  }

  async #writePiece(piece: string | Uint8Array): Promise<boolean> {
    const taken = await new Promise<boolean>((resolve) => {
      this.#stream.write(piece, (error) => {
        resolve(error === undefined || error === null);
      });
    });
    // A pipe may take it at once.
    await immediate();
    return taken;
  }

  /** Waits for the disk only where somebody waits for it. */
  #write(lines: string): boolean | Promise<boolean> {
    if (this.holds === 'nothing') {
      this.#stream.write(lines);
      return true;
    }
    return new Promise((resolve) => {
      this.#stream.write(lines, (error) => {
        resolve(error === undefined || error === null);
      });
    });
  }

  async close(): Promise<void> {
    await this.#emptying;
    if (this.#options.path === '-') return;
    const stream = this.#stream as WriteStream;
    stream.end();
    await finished(stream).catch((error: unknown) => {
      log.error('Audit log was not written to its end', error);
    });
  }

  #open(): WriteStream {
    const { path } = this.#options;
    try {
      const descriptor = openSync(path, 'a', 0o600);
      this.#size = fstatSync(descriptor).size;
      closeSync(descriptor);
    } catch (error) {
      throw unusableFlag(
        'audit-log-path',
        `cannot write ${path}: ${(error as NodeJS.ErrnoException).code ?? String(error)}`,
        error,
      );
    }
    const stream = createWriteStream(path, { flags: 'a', mode: 0o600 });
    stream.on('error', (error) => {
      log.error('Audit log cannot be written', error, { path });
    });
    return stream;
  }

  /** `audit.log` becomes `audit-2026-01-02T03-04-05.678.log`, as upstream's rotation names it. */
  #rotate(): void {
    const { path, compress, maxBackups, maxAgeDays } = this.#options;
    const name = basename(path);
    const dot = name.lastIndexOf('.');
    const stem = dot > 0 ? name.slice(0, dot) : name;
    const extension = dot > 0 ? name.slice(dot) : '';
    const old = this.#stream as WriteStream;
    old.end();
    const rotated = join(
      dirname(path),
      `${stem}-${new Date().toISOString().replaceAll(':', '-').replace('Z', '')}${extension}`,
    );
    renameSync(path, rotated);
    this.#stream = this.#open();
    if (compress) void compressFile(old, rotated);
    const backups = readdirSync(dirname(path))
      .filter(
        (file) =>
          file !== name &&
          file.startsWith(`${stem}-`) &&
          (file.endsWith(extension) || file.endsWith(`${extension}.gz`)),
      )
      .sort()
      .reverse();
    for (const [i, file] of backups.entries()) {
      const full = join(dirname(path), file);
      if (
        (maxBackups > 0 && i >= maxBackups) ||
        (maxAgeDays > 0 && Date.now() - statSync(full).mtimeMs > maxAgeDays * dayMs)
      )
        unlinkSync(full);
    }
  }
}

/** What is short in one piece. */
function linesOf(events: readonly AuditEvent[], format: 'json' | 'legacy'): EventText {
  const text: (string | JSONText)[] = [];
  let lines = '';
  for (const event of events) {
    for (const part of format === 'json' ? eventText(event) : [legacyLine(event)])
      if (typeof part === 'string') lines += part;
      else if (part.size <= shortBytes) lines += part.toString().replaceAll('\n', ' ');
      else {
        text.push(lines, part);
        lines = '';
      }
    lines += '\n';
  }
  text.push(lines);
  return text;
}

/** Stored JSON that somebody else has written may have several lines; between its tokens a space says the same. */
function inOneLine(json: Uint8Array): Uint8Array {
  return json.includes(newline) ? json.map((byte) => (byte === newline ? space : byte)) : json;
}

/** A file that its stream has been told to end becomes one with `.gz`. */
async function compressFile(stream: WriteStream, path: string): Promise<void> {
  try {
    await finished(stream);
    await pipeline(createReadStream(path), createGzip(), createWriteStream(`${path}.gz`, { mode: 0o600 }));
    unlinkSync(path);
  } catch (error) {
    log.error('Audit log was not compressed', error, { path });
  }
}

/** One line of text, as `--audit-log-format=legacy` has it (audit/format.go). */
function legacyLine(event: AuditEvent): string {
  const asuser = event.impersonatedUser === undefined ? '<self>' : JSON.stringify(event.impersonatedUser.username);
  const groups = (user: AuditEvent['user'] | undefined): string =>
    user?.groups === undefined || user.groups.length === 0
      ? '<none>'
      : user.groups.map((group) => JSON.stringify(group)).join(',');
  const asgroups = event.impersonatedUser === undefined ? '<lookup>' : groups(event.impersonatedUser);
  const namespace = event.objectRef?.['namespace'] ?? '<none>';
  const response = event.responseStatus?.code === undefined ? '<deferred>' : String(event.responseStatus.code);
  return (
    `${event.stageTimestamp} AUDIT: id=${JSON.stringify(event.auditID)} stage=${JSON.stringify(event.stage)} ` +
    `ip=${JSON.stringify(event.sourceIPs?.[0] ?? '<unknown>')} method=${JSON.stringify(event.verb)} ` +
    `user=${JSON.stringify(event.user.username)} groups=${groups(event.user)} as=${asuser} asgroups=${asgroups} ` +
    `user-agent=${JSON.stringify(event.userAgent ?? '')} namespace=${JSON.stringify(namespace)} ` +
    `uri=${JSON.stringify(event.requestURI)} response=${JSON.stringify(response)}`
  );
}
