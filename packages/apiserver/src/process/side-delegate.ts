import type { TimerClock } from '@kubechain/apimachinery';
import type { ServerResponse } from 'node:http';
import type { ExchangeTermination } from '../metrics/exchange-terminations.ts';
import type { BegunExchange } from '../request/side-server.ts';
import { httpDelegate, type ReadBodyTarget } from '../server/delegation/http-delegate.ts';

/** How long a thread that has lost a request has for a sign of life, in ms; it may be at work on another one. */
const signOfLifeMs = 30_000;

/** How long it may say nothing at all before its requests are failed, in ms: as long as a request may take. */
const silentMs = 60_000;

export interface SideDelegateOptions {
  readonly clock: TimerClock;
  /** Told of the end of each request. */
  readonly ended: (reason: ExchangeTermination) => void;
  /** Told of a request of which the server has got nothing, once: it is to be answered by another one. */
  readonly unsent: (exchange: BegunExchange) => void;
}

/** The way to a side server, and what is known of its life. */
export class SideDelegate {
  static readonly title = 'side server';

  readonly #target: ReadBodyTarget;
  readonly #clock: TimerClock;
  /** Those that were handed over, until their responses close. */
  readonly #handed = new Map<ServerResponse, BegunExchange>();
  #doubtful = false;
  #asking: Promise<boolean> | undefined;

  constructor(socket: string, { clock, ended, unsent }: SideDelegateOptions) {
    this.#clock = clock;
    this.#target = httpDelegate({
      name: SideDelegate.title,
      address: { kind: 'unix', path: socket },
      // Its work is long, and it has one loop as well: what takes too long there is ended by its requests' deadlines.
      probeTimeoutMs: silentMs,
      ended: (reason) => {
        // Before its client hears of it, who may come again before the end of the thread is told.
        if (reason.kind === 'broken' || reason.kind === 'unreachable') this.#doubtful = true;
        ended(reason);
      },
      unsent: (response) => {
        const exchange = this.#handed.get(response);
        if (exchange === undefined || response.destroyed) return false;
        unsent(exchange);
        return true;
      },
    });
  }

  handle(exchange: BegunExchange): void {
    const { body, request, response } = exchange;
    this.#handed.set(response, exchange);
    response.once('close', () => this.#handed.delete(response));
    if (body === undefined) this.#target.handle(request, response);
    else this.#target.handleRead(request, response, body);
  }

  /** Whether it can be asked: where that is in doubt, it is asked for a sign of life. */
  async lives(): Promise<boolean> {
    if (!this.#doubtful) return true;
    this.#asking ??= this.#givesSign();
    const lives = await this.#asking;
    this.#asking = undefined;
    if (lives) this.#doubtful = false;
    return lives;
  }

  async #givesSign(): Promise<boolean> {
    const abort = new AbortController();
    const timer = this.#clock.setTimer(() => {
      abort.abort();
    }, signOfLifeMs);
    try {
      await this.#target.healthCheck(abort.signal);
      return true;
    } catch {
      return false;
    } finally {
      timer.cancel();
    }
  }

  close(): Promise<void> {
    return this.#target.close();
  }
}
