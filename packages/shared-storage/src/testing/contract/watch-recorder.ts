import type { WatchEvent, WatchSink } from '../../storage/interfaces.ts';
import type { WatchEnd } from '../../storage/watch-end.ts';

const patienceMs = 5_000;

/** A sink that keeps what it gets, for tests to wait on. */
export class WatchRecorder implements WatchSink {
  readonly events: WatchEvent[] = [];
  /** How many events it takes before it reports that it is full. */
  capacity: number;
  ended = 0;
  /** Why it ended. */
  reason: WatchEnd | undefined;
  /** Events or an `end` after the end. */
  late = 0;
  #changed: (() => void) | undefined;
  #taken = 0;

  constructor(capacity = Infinity) {
    this.capacity = capacity;
  }

  event(event: WatchEvent): boolean {
    if (this.ended > 0) this.late++;
    this.events.push(event);
    this.#changed?.();
    return this.events.length < this.capacity;
  }

  end(reason: WatchEnd): void {
    this.ended++;
    this.reason = reason;
    this.#changed?.();
  }

  /** The next `count` events. */
  async take(count: number): Promise<WatchEvent[]> {
    await this.#until(
      () => this.events.length >= this.#taken + count,
      () => `${count} more events; got ${JSON.stringify(this.events.slice(this.#taken).map(summary))}`,
    );
    const taken = this.events.slice(this.#taken, this.#taken + count);
    this.#taken += count;
    return taken;
  }

  /** The next `count` events as short text, bookmarks left out: `ADDED a`. */
  async changes(count: number): Promise<string[]> {
    const changes: string[] = [];
    while (changes.length < count) {
      const [event] = await this.take(1);
      if (event !== undefined && event.type !== 'BOOKMARK') changes.push(summary(event));
    }
    return changes;
  }

  /** Waits for an event that satisfies `test`, passing over others. */
  async find(test: (event: WatchEvent) => boolean): Promise<WatchEvent> {
    for (;;) {
      const [event] = await this.take(1);
      if (event !== undefined && test(event)) return event;
    }
  }

  async finished(): Promise<void> {
    await this.#until(
      () => this.ended > 0,
      () => 'the end of the watch',
    );
  }

  /** Types and names of everything so far, bookmarks left out. */
  summaries(): string[] {
    return this.events.filter((event) => event.type !== 'BOOKMARK').map(summary);
  }

  async #until(done: () => boolean, what: () => string): Promise<void> {
    const deadline = Date.now() + patienceMs;
    while (!done()) {
      const remaining = deadline - Date.now();
      if (remaining <= 0) throw new Error(`watch: waited in vain for ${what()}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, remaining);
        this.#changed = () => {
          clearTimeout(timer);
          resolve();
        };
      });
      this.#changed = undefined;
    }
  }
}

/** `ADDED name`, `BOOKMARK revision`, `ERROR code`. */
export function summary(event: WatchEvent): string {
  switch (event.type) {
    case 'BOOKMARK':
      return `BOOKMARK ${event.revision}`;
    case 'ERROR':
      return `ERROR ${'code' in event.error ? String(event.error.code) : event.error.message}`;
    case 'ADDED':
    case 'MODIFIED':
    case 'DELETED':
      return `${event.type} ${event.record.attributes.name}`;
    default:
      return event satisfies never;
  }
}
