import type { ClockState } from '@kubechain/apiserver/control';
import type { ControlClient } from './control-client.ts';

/**
 * The time of a chain: of its servers, its controllers and its embedded store. Calls resolve when all of them have it
 * and what it has made due has begun.
 */
export class ChainTime {
  readonly #client: ControlClient;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  async now(): Promise<Date> {
    return new Date((await this.state()).now);
  }

  state(): Promise<ClockState> {
    return this.#client.json('GET', '/v1/clock');
  }

  /** Lets time go by at once, in milliseconds or as a duration: `1h30m`. @throws LaunchError when it is none */
  advance(duration: number | string): Promise<ClockState> {
    return this.#change({ advance: duration });
  }

  /** Ahead or back to a time. */
  set(time: Date | string): Promise<ClockState> {
    return this.#change({ set: typeof time === 'string' ? time : time.toISOString() });
  }

  /** Lets the time stand still; timers go on. */
  freeze(): Promise<ClockState> {
    return this.#change({ freeze: true });
  }

  /** Lets it go on from where it stands. */
  resume(): Promise<ClockState> {
    return this.#change({ freeze: false });
  }

  /** Back to the machine's time. */
  reset(): Promise<ClockState> {
    return this.#change({ reset: true });
  }

  /** Makes it that of another chain, on the same machine. */
  async take({ frozen, now, offsetMs }: ClockState): Promise<void> {
    if (offsetMs === 0 && !frozen) return;
    if (frozen) await this.freeze();
    const here = await this.state();
    await this.set(frozen ? now : new Date(Date.parse(here.now) - here.offsetMs + offsetMs));
  }

  #change(body: object): Promise<ClockState> {
    return this.#client.json('POST', '/v1/clock', body);
  }
}
