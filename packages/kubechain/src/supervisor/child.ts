import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ClockMove, MovedMessage, MoveMessage } from '@kubechain/apimachinery/movable-clock';
import { compileCacheDirectory } from '../bundle/compile-cache.ts';
import { builtProgram } from '../programs/built-programs.ts';
import { isPongMessage, isReadyMessage, type ChildCommand } from './child-command.ts';
import type { ChildExit } from './child-exit.ts';
import type { PingAnswer } from './child-probe.ts';
import { mallocEnvironment } from './malloc-environment.ts';
import { isOfSupervisor } from './supervisor-log.ts';

/** More than any line that says why a process has ended. */
const LAST_LINE_BYTES = 1 << 16;

/** The source that children load before their own. */
export const GUARD =
  builtProgram('child-guard') ?? fileURLToPath(new URL(`./child-guard${extname(import.meta.url)}`, import.meta.url));

/**
 * One run of one process, in a process group of its own so that Ctrl-C reaches only us and the order of stopping stays
 * ours. Its output goes straight to its log file.
 */
export class Child {
  /** Resolves with the url that it told, if any; never rejects, and never resolves when it ends before. */
  readonly ready: Promise<string | undefined>;
  readonly exited: Promise<ChildExit>;
  readonly pid: number | undefined;
  readonly #process: ChildProcess;
  readonly #lastLine: () => string;
  #isReady = false;
  #lastMove = 0;

  constructor(command: ChildCommand) {
    const log = openSync(command.logFile, 'a', 0o600);
    const logStart = fstatSync(log).size;
    this.#lastLine = () => lastLine(command.logFile, logStart);
    const viaStdout = command.readiness === 'stdout';
    this.#process = spawn(
      process.execPath,
      [
        '--import',
        pathToFileURL(command.guard ?? GUARD).href,
        // For the guard.
        '--expose-gc',
        ...(command.nodeArgs ?? []),
        command.main,
        ...command.args,
      ],
      {
        detached: true,
        stdio: ['ignore', viaStdout ? 'pipe' : log, log, 'ipc'],
        serialization: 'json',
        env: {
          ...process.env,
          ...mallocEnvironment(process.env),
          NODE_COMPILE_CACHE: compileCacheDirectory(command.main),
          ...command.env?.(),
          ...(command.watchdogMs === undefined ? {} : { KUBECHAIN_WATCHDOG_MS: String(command.watchdogMs) }),
        },
      },
    );
    closeSync(log);
    this.pid = this.#process.pid;
    if (this.pid !== undefined) writePid(command.pidFile, this.pid);
    this.ready = new Promise((resolve) => {
      const ready = (url: string | undefined): void => {
        this.#isReady = true;
        resolve(url);
      };
      this.#process.on('message', (message) => isReadyMessage(message) && ready(message.url));
      if (viaStdout) readFirstLine(this.#process, (line) => ready(endpointIn(line)));
    });
    this.exited = new Promise((resolve) => {
      const finish = (code: number | null, signal: NodeJS.Signals | null, failure?: Error): void => {
        rmSync(command.pidFile, { force: true });
        resolve({
          code,
          signal,
          wasReady: this.#isReady,
          lastLine: failure?.message ?? this.#lastLine(),
        });
      };
      this.#process.once('error', (error) => this.#process.pid === undefined && finish(null, null, error));
      this.#process.once('exit', (code, signal) => finish(code, signal));
    });
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  /** The last line that it has written so far; none: ''. */
  get lastLine(): string {
    return this.#lastLine();
  }

  /** Resolves when its event loop has answered; not at all when it does not. */
  ping(): Promise<PingAnswer> {
    return new Promise((resolve) => {
      const read = (message: unknown): void => {
        if (!isPongMessage(message)) return;
        this.#process.off('message', read);
        resolve(message);
      };
      this.#process.on('message', read);
      // A channel that is closed is a child that has ended, which is noticed by itself.
      if (this.#process.connected) this.#process.send({ kind: 'ping' }, () => undefined);
    });
  }

  /** Sends it a message, if it is still there. */
  tell(message: object): void {
    if (this.#process.connected) this.#process.send(message, () => undefined);
  }

  /** What it says. */
  onMessage(listener: (message: unknown) => void): void {
    this.#process.on('message', listener);
  }

  /** Resolves when its clock has been moved, or it has ended. */
  async moveClock(move: ClockMove): Promise<void> {
    const id = ++this.#lastMove;
    const moved = new Promise<void>((resolve) => {
      const read = (message: unknown): void => {
        const { id: of, kind } = message as Partial<MovedMessage>;
        if (kind !== 'clock-moved' || of !== id) return;
        this.#process.off('message', read);
        resolve();
      };
      this.#process.on('message', read);
    });
    this.tell({ kind: 'move-clock', id, move } satisfies MoveMessage);
    await Promise.race([moved, this.exited]);
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal);
  }

  /** SIGTERM, then SIGKILL when it takes longer than `graceMs`. */
  async stop(graceMs: number): Promise<ChildExit> {
    this.signal('SIGTERM');
    const timer = setTimeout(() => this.signal('SIGKILL'), graceMs);
    const exit = await this.exited;
    clearTimeout(timer);
    return exit;
  }
}

/** On a full disk the process runs all the same; who looks for it there does not find it. */
function writePid(file: string, pid: number): void {
  try {
    writeFileSync(file, `${pid}\n`, { mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

function readFirstLine(child: ChildProcess, done: (line: string) => void): void {
  let text = '';
  let found = false;
  child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
    // The rest is read and dropped, so that the child never waits for us.
    if (found) return;
    text += chunk;
    const end = text.indexOf('\n');
    if (end === -1) return;
    found = true;
    done(text.slice(0, end));
  });
}

function endpointIn(line: string): string | undefined {
  try {
    const { endpoint } = JSON.parse(line) as { endpoint?: unknown };
    return typeof endpoint === 'string' ? endpoint : undefined;
  } catch {
    return undefined;
  }
}

/** Of what it has written behind `start` itself; only the end of the file is read, which may be long. */
function lastLine(file: string, start: number): string {
  let log: number | undefined;
  try {
    log = openSync(file, 'r');
    const { size } = fstatSync(log);
    const from = Math.max(start, size - LAST_LINE_BYTES);
    if (size <= from) return '';
    const buffer = Buffer.alloc(size - from);
    const length = readSync(log, buffer, 0, buffer.length, from);
    const lines = buffer.toString('utf8', 0, length).trimEnd().split('\n');
    return lines.findLast((line) => !isOfSupervisor(line)) ?? '';
  } catch {
    return '';
  } finally {
    if (log !== undefined) closeSync(log);
  }
}
