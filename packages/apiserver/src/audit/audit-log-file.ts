import {
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
import { finished } from 'node:stream/promises';
import { Logger } from '../logging/logger.ts';
import { unusableFlag } from '../options/options-error.ts';
import type { AuditBackend, AuditEvent } from './audit-event.ts';

const log = new Logger('audit');

/** Bytes that may wait for the disk; a disk that is slower loses events, not the server's memory. */
const maxBufferedBytes = 64 * 1024 * 1024;
const dayMs = 86_400_000;

/** Where events go, and when files are rotated; 0 means no limit. */
export interface AuditLogFileOptions {
  /** `-` is standard output. */
  readonly path: string;
  readonly format: 'json' | 'legacy';
  readonly maxSizeMegabytes: number;
  readonly maxBackups: number;
  readonly maxAgeDays: number;
}

/** The log backend: one JSON object a line, written in the background, rotated by size (plugin/pkg/audit/log). */
export class AuditLogFile implements AuditBackend {
  readonly #options: AuditLogFileOptions;
  #stream: NodeJS.WritableStream & { readonly writableLength: number };
  #size = 0;
  #lost = 0;

  /** @throws OptionsError for a path that cannot be written */
  constructor(options: AuditLogFileOptions) {
    this.#options = options;
    this.#stream = options.path === '-' ? process.stdout : this.#open();
  }

  log(event: AuditEvent): void {
    if (this.#stream.writableLength > maxBufferedBytes) {
      if (this.#lost++ % 1_000 === 0)
        log.warning('Audit events are lost: the log cannot be written fast enough', { lost: this.#lost });
      return;
    }
    const line = `${this.#options.format === 'json' ? JSON.stringify(event) : legacyLine(event)}\n`;
    this.#size += Buffer.byteLength(line);
    this.#stream.write(line);
    if (
      this.#options.maxSizeMegabytes > 0 &&
      this.#size >= this.#options.maxSizeMegabytes * 1024 * 1024 &&
      this.#options.path !== '-'
    )
      this.#rotate();
  }

  async close(): Promise<void> {
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
    const { path, maxBackups, maxAgeDays } = this.#options;
    const name = basename(path);
    const dot = name.lastIndexOf('.');
    const stem = dot > 0 ? name.slice(0, dot) : name;
    const extension = dot > 0 ? name.slice(dot) : '';
    (this.#stream as WriteStream).end();
    renameSync(
      path,
      join(dirname(path), `${stem}-${new Date().toISOString().replaceAll(':', '-').replace('Z', '')}${extension}`),
    );
    this.#stream = this.#open();
    const backups = readdirSync(dirname(path))
      .filter((file) => file !== name && file.startsWith(`${stem}-`) && file.endsWith(extension))
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
