import { messageOf } from '@kubechain/apimachinery';
import { Logger } from '../../logging/logger.ts';
import { ProbePatience } from './probe-patience.ts';
import type { Relay } from './relay.ts';

const log = new Logger('delegation');

/** When a target is suspected, and how it is asked. */
export interface TargetLivenessOptions {
  /** The target's, for the log. */
  readonly name: string;
  /** A relay that waits this long for headers makes the target suspect. */
  readonly suspectAfterMs: number;
  /** How long the target may give no sign of life, from the probe on. */
  readonly probeTimeoutMs: number;
  /** While true, silence is taken for a breakpoint and waited out. */
  readonly debugged: () => boolean;
  /** Asks the target for a sign of life; rejects when it gives none. */
  readonly probe: (signal: AbortSignal) => Promise<void>;
  /** Counts what else was heard from the target. */
  readonly signs: () => number;
}

/**
 * Whether the next process responds. It is looked at only while requests are out:
 *
 *     responsive ──a relay waits too long──▶ probed ──answered, or other signs of life──▶ responsive
 *                                              └──silent for `probeTimeoutMs`──▶ unresponsive ──a probe is answered──┐
 *                                                                                     ▲        (to responsive) ◀─────┘
 *                                                          all that waits for headers fails
 */
export class TargetLiveness {
  readonly #options: TargetLivenessOptions;
  readonly #relays = new Set<Relay>();
  #timer: NodeJS.Timeout | undefined = undefined;
  #unresponsive = false;
  #probing = false;
  /** Relays that the target has answered: each is a sign of its life. */
  #answered = 0;
  #closed = false;

  constructor(options: TargetLivenessOptions) {
    this.#options = options;
  }

  /** Requests need not be sent: they would wait for nothing. */
  get unresponsive(): boolean {
    return this.#unresponsive;
  }

  /** Relays under way. */
  get underWay(): number {
    return this.#relays.size;
  }

  started(relay: Relay): void {
    this.#relays.add(relay);
    if (this.#timer !== undefined || this.#closed) return;
    this.#timer = setInterval(
      () => {
        this.#look();
      },
      Math.max(50, this.#options.suspectAfterMs / 4),
    );
    this.#timer.unref();
  }

  ended(relay: Relay, { answered }: { readonly answered: boolean }): void {
    this.#relays.delete(relay);
    if (answered) this.#answered++;
  }

  /** Looks no more. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#timer);
  }

  #look(): void {
    if (this.#relays.size === 0 && !this.#unresponsive) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    if ((this.#unresponsive || this.#anyWaitsLong()) && !this.#probing && !this.#options.debugged()) void this.#probe();
  }

  #anyWaitsLong(): boolean {
    const suspectBefore = performance.now() - this.#options.suspectAfterMs;
    for (const relay of this.#relays) if (relay.waitingForHeaders && relay.startedAt < suspectBefore) return true;
    return false;
  }

  async #probe(): Promise<void> {
    const { name: delegate, probe, probeTimeoutMs, signs } = this.#options;
    this.#probing = true;
    const patience = new ProbePatience(probeTimeoutMs, () => this.#answered + signs());
    try {
      await probe(patience.signal);
      if (this.#unresponsive) log.info('delegate responds again', { delegate });
      this.#unresponsive = false;
    } catch (error) {
      if (this.#closed) return;
      if (!this.#unresponsive) log.warning('delegate does not respond', { delegate, err: messageOf(error) });
      this.#unresponsive = true;
      // A Set may lose members while it is walked.
      for (const relay of this.#relays)
        if (relay.waitingForHeaders) relay.fail('unresponsive', new Error('it does not respond'));
    } finally {
      patience.end();
      this.#probing = false;
    }
  }
}
