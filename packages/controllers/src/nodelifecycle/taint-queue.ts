import type { TimerClock } from '@kubechain/apimachinery';
import { TokenBucket } from '@kubechain/apimachinery';

/**
 * Nodes that wait for their taint, one at a time at a rate. A node that had its turn does not come in again before it
 * is taken out (scheduler.RateLimitedTimedQueue, 1.36).
 */
export class TaintQueue {
  readonly #clock: TimerClock;
  readonly #waiting = new Set<string>();
  readonly #known = new Set<string>();
  #perSecond: number;
  #bucket: TokenBucket;

  constructor(perSecond: number, clock: TimerClock) {
    this.#clock = clock;
    this.#perSecond = perSecond;
    this.#bucket = new TokenBucket(perSecond, 1, clock);
  }

  get length(): number {
    return this.#waiting.size;
  }

  /** False for one that is known already. */
  add(node: string): boolean {
    if (this.#known.has(node)) return false;
    this.#known.add(node);
    this.#waiting.add(node);
    return true;
  }

  remove(node: string): boolean {
    this.#waiting.delete(node);
    return this.#known.delete(node);
  }

  /** Nodes a second; 0 for none. */
  setRate(perSecond: number): void {
    if (perSecond === this.#perSecond) return;
    const drained = this.#perSecond <= 0 || !this.#bucket.tryAccept();
    this.#perSecond = perSecond;
    this.#bucket = new TokenBucket(perSecond, 1, this.#clock);
    if (drained) this.#bucket.tryAccept();
  }

  /** Lets those have their turn that the rate allows; one for which `work` answers false comes again. */
  async work(work: (node: string) => Promise<boolean>): Promise<void> {
    for (const node of this.#waiting) {
      if (this.#perSecond <= 0 || !this.#bucket.tryAccept()) return;
      if (await work(node)) this.#waiting.delete(node);
    }
  }
}
