import { Backoff, messageOf } from '@kubechain/apimachinery';
import { Logger } from '../../../logging/logger.ts';
import type { ExchangeTermination } from '../../../metrics/exchange-terminations.ts';
import type { ClientLink } from './client-link.ts';
import { LinkPulse } from './link-pulse.ts';
import { NoLinkError, openLink, type LinkTarget } from './open-link.ts';

const log = new Logger('link');

/** Pauses after a link could not be opened: the target may just be starting. */
const pauses = { firstMs: 20, longestMs: 1_000 };
/** A target that knows no links may be another one the next time. */
const refusedMs = 10_000;

/** How links are judged, and who hears of their ends. */
export interface LinkSourceOptions {
  /** Whether a debugger holds this process up: then nothing is called silent. Default: never. */
  readonly debugged?: () => boolean;
  /** Told once of each link that is over, so many milliseconds after it was opened. */
  readonly ended?: (reason: ExchangeTermination, servedMs: number) => void;
}

/** The link to one target: opened when it is first wanted, and again when it is gone. */
export class LinkSource {
  readonly #target: () => LinkTarget;
  readonly #options: LinkSourceOptions;
  readonly #backoff = new Backoff(pauses);
  #link: ClientLink | undefined = undefined;
  /** Those that take no more requests, with answers under way. */
  readonly #leaving = new Set<ClientLink>();
  #opening = false;
  /** performance.now() before which no further attempt is made. */
  #notBefore = 0;
  #closed = false;

  constructor(target: () => LinkTarget, options: LinkSourceOptions = {}) {
    this.#target = target;
    this.#options = options;
  }

  /** A link that can be used now; undefined while there is none, and then one is on its way. */
  current(): ClientLink | undefined {
    const link = this.#link;
    if (link?.usable === true) return link;
    if (link !== undefined) {
      if (link.open > 0) this.#leaving.add(link);
      this.#link = undefined;
    }
    if (!this.#opening && !this.#closed && performance.now() >= this.#notBefore) void this.#open();
    return undefined;
  }

  /** Changes with everything that comes over the link. */
  get heard(): number {
    return this.#link?.heard ?? 0;
  }

  /** Whether there is a link that takes requests. */
  get isOpen(): boolean {
    return this.#link?.usable === true;
  }

  close(error: Error): void {
    this.#closed = true;
    this.#link?.destroy(error, 'shutting_down');
    for (const link of this.#leaving) link.destroy(error, 'shutting_down');
    this.#leaving.clear();
  }

  async #open(): Promise<void> {
    this.#opening = true;
    try {
      const target = this.#target();
      const link = await openLink(target);
      this.#backoff.reset();
      const openedAt = performance.now();
      link.onceOver((reason) => {
        this.#options.ended?.(reason, performance.now() - openedAt);
      });
      if (this.#closed) link.destroy(new Error('the server is shutting down'), 'shutting_down');
      else {
        this.#link = link;
        // A process of this machine cannot vanish without its socket.
        if (target.address.kind !== 'unix') new LinkPulse(link, { wanted: () => this.#options.debugged?.() !== true });
      }
    } catch (error) {
      const pauseMs = error instanceof NoLinkError ? refusedMs : this.#backoff.next();
      this.#notBefore = performance.now() + pauseMs;
      if (log.enabled(4)) log.info('No link', { err: messageOf(error) }, 4);
    } finally {
      this.#opening = false;
    }
  }
}
