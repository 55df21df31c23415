import type { WatchEvent } from '@kubechain/shared-storage';
import type { EventEncoder, EventEncoderOptions } from './event-encoder.ts';

/**
 * Frames that many watches may want of the same large object: others are served between them, and one that has been
 * made for another watch is sent at once.
 */
export class UnhurriedFrames implements EventEncoder {
  readonly #inner: EventEncoder;
  readonly #turns: EventEncoderOptions['turns'];

  constructor(inner: EventEncoder, turns: EventEncoderOptions['turns']) {
    this.#inner = inner;
    this.#turns = turns;
  }

  frame(event: WatchEvent): Uint8Array | Promise<Uint8Array> {
    const made = this.#inner.made?.(event);
    if (made !== undefined) return made;
    const turn = 'record' in event ? this.#turns.before(event.record.json) : undefined;
    return turn === undefined ? this.#inner.frame(event) : turn.then(() => this.#inner.frame(event));
  }
}
