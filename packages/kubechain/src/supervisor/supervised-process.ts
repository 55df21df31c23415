import { setTimeout as delay } from 'node:timers/promises';
import type { ClockMove } from '@kubechain/apimachinery/movable-clock';
import { LaunchError } from '../launch-error.ts';
import { Child } from './child.ts';
import type { ChildCommand } from './child-command.ts';
import { describeExit, type ChildExit } from './child-exit.ts';
import { stopsAnswering } from './child-probe.ts';
import type { ProcessEvent } from './process-event.ts';
import { threadsOfProcess } from './process-threads.ts';
import { Starvation } from './starvation.ts';
import { logDecision } from './supervisor-log.ts';

export interface SupervisedProcessOptions {
  readonly onEvent?: (event: ProcessEvent) => void;
  /** Told what a run of it says over IPC. */
  readonly onMessage?: (child: Child, message: unknown) => void;
  /** First wait before a restart, doubled up to `maxDelayMs` while the process keeps failing. Default 250. */
  readonly minDelayMs?: number;
  readonly maxDelayMs?: number;
  /** Ready this long, the next failure starts again at `minDelayMs`. Default 30,000. */
  readonly stableMs?: number;
  /** How often a process that is ready is asked whether it still answers. Default 1,000; 0: never. */
  readonly probeIntervalMs?: number;
  /**
   * Looks without an answer after which it is killed, as far as it was given a processor meanwhile. Default 20: longer
   * than its own watchdog takes.
   */
  readonly probePatience?: number;
}

/**
 * Keeps a process running:
 *
 *     start ─► starting ── ready ─► running ── exit ─► waiting (backoff) ─► starting …
 *                 │                    └─ stuck ─► killed ─► exit
 *                 │ exit before it was ever ready
 *                 └─► failed: what is wrong is wrong for good (a flag, a certificate, a port), so it is not tried again
 */
export class SupervisedProcess {
  readonly name: string;
  /**
   * Rejects (LaunchError `Process` with the process's own last line) when it ends before it was ready for the first
   * time.
   */
  readonly firstReady: Promise<string | undefined>;
  readonly #command: ChildCommand;
  readonly #options: SupervisedProcessOptions;
  readonly #stopping = new AbortController();
  readonly #finished: Promise<void>;
  #child: Child | undefined;
  #restarts = 0;

  constructor(command: ChildCommand, options: SupervisedProcessOptions = {}) {
    this.name = command.name;
    this.#command = command;
    this.#options = options;
    const first = Promise.withResolvers<string | undefined>();
    this.firstReady = first.promise;
    // Whoever waits for it sees the failure; nobody has to.
    this.firstReady.catch(() => undefined);
    this.#finished = this.#run(first);
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Whether the run of it that is under way has said so. */
  get isReady(): boolean {
    return this.#child?.isReady === true;
  }

  /** The last line that the run of it that is under way has written; none: ''. */
  get lastLine(): string {
    return this.#child?.lastLine ?? '';
  }

  /** Resolves when its clock has been moved. What is started later stands where it is to from its beginning. */
  async moveClock(move: ClockMove): Promise<void> {
    await this.#child?.moveClock(move);
  }

  /** Ends it and does not start it again. Resolves when it is gone. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping.abort();
    await this.#child?.stop(graceMs);
    await this.#finished;
  }

  kill(): void {
    this.#stopping.abort();
    this.#child?.signal('SIGKILL');
  }

  async #run(first: PromiseWithResolvers<string | undefined>): Promise<void> {
    const { minDelayMs = 250, maxDelayMs = 10_000, stableMs = 30_000 } = this.#options;
    let failures = 0;
    while (!this.#stopping.signal.aborted) {
      const startedAt = performance.now();
      let readyAt: number | undefined;
      const child = new Child(this.#command);
      this.#child = child;
      const { onMessage } = this.#options;
      if (onMessage !== undefined) child.onMessage((message) => onMessage(child, message));
      void child.ready.then((url) => {
        readyAt = performance.now();
        first.resolve(url);
        this.#decided({ kind: 'ready', name: this.name, afterMs: readyAt - startedAt, restarts: this.#restarts, url });
      });
      const ended = new AbortController();
      void child.ready.then(() => this.#killWhenStuck(child, ended.signal));
      const exit = await child.exited;
      ended.abort();
      if (this.#stopping.signal.aborted) break;
      if (this.#restarts === 0 && !exit.wasReady) {
        first.reject(new LaunchError('Process', failureText(this.name, exit)));
        return;
      }
      failures = readyAt !== undefined && performance.now() - readyAt >= stableMs ? 0 : failures + 1;
      const restartInMs = Math.min(minDelayMs * 2 ** Math.max(failures - 1, 0), maxDelayMs);
      this.#decided({ kind: 'ended', name: this.name, exit, restartInMs });
      this.#restarts++;
      await delay(restartInMs, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
    }
    first.reject(new LaunchError('Process', `${this.name} was stopped before it was ready`));
  }

  async #killWhenStuck(child: Child, signal: AbortSignal): Promise<void> {
    const { probeIntervalMs: intervalMs = 1_000, probePatience: patience = 20 } = this.#options;
    const { name } = this;
    const { pid } = child;
    if (intervalMs === 0 || pid === undefined) return;
    const silence = await stopsAnswering(child, {
      intervalMs,
      patience,
      signal,
      beginStarvation: () => {
        const starvation = new Starvation({ threads: () => threadsOfProcess(pid), nowMs: () => performance.now() });
        return () => starvation.look();
      },
      onSpared: (spared) => {
        this.#decided({ kind: 'starved', name, ...spared });
      },
    });
    if (silence === undefined) return;
    this.#decided({ kind: 'stuck', name, ...silence });
    // SIGKILL also ends a process that is stopped.
    child.signal('SIGKILL');
  }

  /** Told to the display, which may have gone, and kept in the log of the process. */
  #decided(event: ProcessEvent): void {
    logDecision(this.#command, event);
    this.#options.onEvent?.(event);
  }
}

/** A server's own line where there is one; it names the flag already. */
function failureText(name: string, exit: ChildExit): string {
  if (exit.lastLine !== '') return `${name}: ${exit.lastLine.replace(/^(Error: |embedded-etcd: )/, '')}`;
  return `${name} ended ${describeExit(exit)} before it was ready`;
}
