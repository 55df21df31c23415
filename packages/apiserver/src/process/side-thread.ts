import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { messageOf, type Timer, type TimerClock } from '@kubechain/apimachinery';
import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { takeRelayed, type TakeAuditEvents } from '../audit/audit-relay.ts';
import { Logger } from '../logging/logger.ts';
import type { SideProgram } from '../options/side-program.ts';
import type { BegunExchange, SideServer } from '../request/side-server.ts';
import { writeError } from '../responses/write-status.ts';
import { unreachableStatus } from '../server/delegation/delegation-error.ts';
import type { AuditSource } from './assembly-input.ts';
import { SideDelegate } from './side-delegate.ts';
import { SideThreadMetrics, type SideThreadEnd } from './side-thread-metrics.ts';

const log = new Logger('process');

/** Without a request for so long, the thread ends, and its memory is the machine's again. In ms. */
const idleMs = 120_000;
/** How long nobody tries again after the server could not be started, in ms. */
const failedMs = 60_000;

/** A server that answers. */
interface Running {
  /** Of what it answers. */
  readonly delegate: SideDelegate;
  end(): Promise<void>;
}

export interface SideThreadOptions {
  /** What the thread runs: the program of this process. */
  readonly program: SideProgram;
  readonly clock: TimerClock;
}

/**
 * A second server of this process on a thread of its own, with its own memory and collector, for requests whose bodies
 * or stored objects are so large that each step on them (decode, validate, compare, encode) would hold the loop which
 * serves everybody. It is one more replica on the same storage, has the same flags, and is reached as the next
 * process of a chain is, by a socket in a folder of this user's. It begins with the first such request, and ends when
 * there were none for a while; where it cannot begin, this thread answers.
 *
 * Who answers records: events of the audit log come from the thread as text, and are written by this one.
 */
export class SideThread implements SideServer, AuditSource {
  readonly #program: SideProgram;
  readonly #clock: TimerClock;
  readonly #metrics = new SideThreadMetrics();
  #running: Promise<Running | undefined> | undefined;
  #underWay = 0;
  #idle: Timer | undefined;
  #closed = false;
  /** Where nobody takes events, there are none. */
  #take: TakeAuditEvents = () => false;

  constructor({ clock, program }: SideThreadOptions) {
    this.#program = program;
    this.#clock = clock;
  }

  async takes(exchange: BegunExchange): Promise<boolean> {
    const { response } = exchange;
    this.#underWay++;
    this.#idle?.cancel();
    const running = await this.#living();
    if (running === undefined || response.destroyed) {
      this.#done();
      // Nobody waits for an answer of a response that is closed.
      return response.destroyed;
    }
    response.once('close', () => {
      this.#done();
    });
    running.delegate.handle(exchange);
    return true;
  }

  recordTo(take: TakeAuditEvents): void {
    this.#take = take;
  }

  /** Makes its counts part of /metrics. */
  register(registry: MetricRegistry): void {
    this.#metrics.register(registry);
  }

  /** Ends the thread, whatever it does. Idempotent. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#idle?.cancel();
    await this.#end('shutdown', this.#running);
  }

  #done(): void {
    this.#underWay--;
    if (this.#underWay === 0 && !this.#closed)
      this.#idle = this.#clock.setTimer(() => void this.#end('idle', this.#running), idleMs);
  }

  /** The server, begun where there is none; one that has lost a request is asked for a sign of life before. */
  async #living(): Promise<Running | undefined> {
    for (;;) {
      const begun = (this.#running ??= this.#begin());
      const running = await begun;
      if (running === undefined || (await running.delegate.lives())) return running;
      await this.#end('failed', begun);
    }
  }

  /** Once for each that was begun; what it did is told as of a process that is gone. */
  async #end(reason: SideThreadEnd, begun: Promise<Running | undefined> | undefined): Promise<void> {
    if (begun === undefined || this.#running !== begun) return;
    this.#running = undefined;
    const running = await begun;
    if (running === undefined) return;
    this.#metrics.ended(reason);
    if (reason === 'failed') log.warning('the side server has ended');
    await running.end();
  }

  #begin(): Promise<Running | undefined> {
    const begun = this.#start(() => void this.#end('failed', begun));
    return begun;
  }

  /** @param ended told when the thread has ended by itself */
  async #start(ended: () => void): Promise<Running | undefined> {
    if (this.#closed) return undefined;
    try {
      const directory = await mkdtemp(join(tmpdir(), 'kubechain-side-'));
      const socket = join(directory, 'socket');
      const worker = await this.#serving(socket).catch(async (error: unknown) => {
        await rm(directory, { recursive: true, force: true });
        throw error;
      });
      const delegate = new SideDelegate(socket, {
        clock: this.#clock,
        ended: (reason) => {
          this.#metrics.answered(reason);
        },
        unsent: (exchange) => void this.#again(exchange),
      });
      const end = async (): Promise<void> => {
        await delegate.close();
        await worker.terminate();
        await rm(directory, { recursive: true, force: true });
      };
      worker.once('exit', ended);
      this.#metrics.began('begun');
      return { delegate, end };
    } catch (error) {
      log.warning('no side server: large bodies are worked on where everybody is served', { error: messageOf(error) });
      this.#metrics.began('failed');
      this.#clock.setTimer(() => (this.#running = undefined), failedMs);
      return undefined;
    }
  }

  /** A request that came when the thread had ended and nobody knew: another one answers it. */
  async #again(exchange: BegunExchange): Promise<void> {
    const running = await this.#living();
    if (running !== undefined) running.delegate.handle(exchange);
    else writeError(exchange.request, exchange.response, unreachableStatus(SideDelegate.title, 'it has ended'));
  }

  /** Resolves when the server of a new thread listens there. */
  #serving(socket: string): Promise<Worker> {
    const { argv, path } = this.#program;
    const worker = new Worker(path, {
      argv: [...argv],
      workerData: { sideSocket: socket },
      name: 'side server',
      // In place of this process's own, which may open an inspector.
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    worker.unref();
    return new Promise((resolve, reject) => {
      worker.on('message', (message: unknown) => {
        if (message !== 'ready') {
          takeRelayed(message, worker, this.#take);
          return;
        }
        worker.off('exit', failed);
        resolve(worker);
      });
      const failed = (code: number): void => {
        reject(new TypeError(`its thread ended with ${code}`));
      };
      worker.once('exit', failed);
      // Told by its end.
      worker.on('error', (error) => {
        log.error('the side server failed', error.stack ?? error);
      });
    });
  }
}
