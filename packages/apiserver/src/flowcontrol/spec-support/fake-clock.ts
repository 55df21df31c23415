import type { EventClock } from '../event-clock.ts';

interface Event {
  readonly atMs: number;
  readonly run: () => void;
}

/** A clock that stands until it is turned; events run in order of time, each at its own. */
export class FakeClock implements EventClock {
  #nowMs = 1_000_000;
  readonly #events = new Set<Event>();

  now(): number {
    return this.#nowMs;
  }

  schedule(event: () => void, delayMs: number): () => void {
    const scheduled = { atMs: this.#nowMs + delayMs, run: event };
    this.#events.add(scheduled);
    return () => {
      this.#events.delete(scheduled);
    };
  }

  /** Turns the clock on, event by event; what promises do in between is awaited. */
  async advance(ms: number): Promise<void> {
    const end = this.#nowMs + ms;
    await settled();
    for (;;) {
      let next: Event | undefined;
      for (const event of this.#events)
        if (event.atMs <= end && (next === undefined || event.atMs < next.atMs)) next = event;
      if (next === undefined) break;
      this.#nowMs = next.atMs;
      this.#events.delete(next);
      next.run();
      await settled();
    }
    this.#nowMs = end;
    await settled();
  }
}

/** Resolves when promises that could settle have. */
export function settled(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
