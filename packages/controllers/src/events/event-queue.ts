import { FairQueue } from '@kubechain/apimachinery';
import { writePatiently, type PatienceOptions } from './write-patiently.ts';

/**
 * Writes of events that wait. A namespace has room for as many as there is room left for others: alone for half of it,
 * 1,000 as in client-go's recorders, beside n that have filled theirs for one part of n + 2.
 */
const mostWaiting = 2_000;

type Write = () => Promise<void>;

/**
 * Writes a component's events, one at a time and without holding up who tells them. Namespaces take turns, and those of
 * one are written in order; what a namespace tells beyond its room is dropped, as client-go's recorders drop what is
 * beyond theirs. What thousands of objects of one namespace have to tell delays another's events by one.
 */
export class EventQueue {
  readonly #options: PatienceOptions;
  readonly #waiting = new FairQueue<Write>();
  #isWriting = false;

  constructor(options: PatienceOptions) {
    this.#options = options;
  }

  add(namespace: string, write: Write): void {
    if (this.#waiting.sizeOf(namespace) >= mostWaiting - this.#waiting.size) return;
    this.#waiting.push(namespace, write);
    if (!this.#isWriting) void this.#writeAll();
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true;
    for (let write = this.#waiting.shift(); write !== undefined; write = this.#waiting.shift())
      await writePatiently(write, this.#options);
    this.#isWriting = false;
  }
}
