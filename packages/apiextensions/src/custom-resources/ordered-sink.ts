import type { Watch, WatchEnd, WatchEvent, WatchSink } from '@kubechain/shared-storage';

/** Events that may wait for a conversion; the source holds back from the first on, and is ended when it does not. */
const queueLimit = 1024;

/** A change of an object. */
export type ObjectEvent = Extract<WatchEvent, { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' }>;

/** Makes of an event what the sink is to get, or nothing. */
export type TranslateEvent = (event: ObjectEvent) => ObjectEvent | undefined | Promise<ObjectEvent | undefined>;

/**
 * Converts the records of a watch before its sink gets them, in order. While nothing has to wait, events pass at once.
 *
 *     source → event() → [queue ≤ 1024, while a conversion is under way] → sink
 *
 * A conversion that fails ends the watch with its error. A queue that is full ends the watch: clients begin anew.
 */
export class OrderedSink implements WatchSink {
  readonly #sink: WatchSink;
  readonly #translate: TranslateEvent;
  readonly #queue: WatchEvent[] = [];
  #busy = false;
  #full = false;
  /** An event was refused, and more could be taken, before the watch was known here: it is told when it is. */
  #drainedEarly = false;
  /** Why the source has ended, while its last events are on their way. */
  #ending: WatchEnd | undefined;
  #ended = false;
  readonly #onFinish: () => void;
  #watch: Watch | undefined;

  constructor(sink: WatchSink, translate: TranslateEvent, onFinish: () => void = () => undefined) {
    this.#onFinish = onFinish;
    this.#sink = sink;
    this.#translate = translate;
  }

  /** Takes the watch that feeds this sink; gives the one that the sink's owner controls it by. */
  attach(watch: Watch): Watch {
    this.#watch = watch;
    if (this.#ended) watch.stop();
    else if (this.#drainedEarly) watch.drained();
    return {
      stop: () => {
        watch.stop();
      },
      drained: () => {
        this.#drained();
      },
    };
  }

  event(event: WatchEvent): boolean {
    if (this.#ended) return true;
    if (this.#busy || this.#full || this.#queue.length > 0) {
      if (this.#queue.length >= queueLimit) {
        this.#finish({ kind: 'slow' });
        return true;
      }
      this.#queue.push(event);
      return false;
    }
    return this.#pass(event);
  }

  end(reason: WatchEnd): void {
    this.#ending = reason;
    if (!this.#busy && this.#queue.length === 0) this.#finish(reason);
  }

  /** True when the next event may follow at once. */
  #pass(event: WatchEvent): boolean {
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') return this.#send(event);
    let translated: ReturnType<TranslateEvent>;
    try {
      translated = this.#translate(event);
    } catch (error) {
      this.#fail(error);
      return true;
    }
    if (translated === undefined) return true;
    if (!(translated instanceof Promise)) return this.#send(translated);
    this.#busy = true;
    translated.then(
      (wanted) => {
        this.#busy = false;
        if (wanted !== undefined) this.#send(wanted);
        this.#pump();
      },
      (error: unknown) => {
        this.#busy = false;
        this.#fail(error);
      },
    );
    return false;
  }

  #send(event: WatchEvent): boolean {
    if (this.#ended) return true;
    this.#full = !this.#sink.event(event);
    return !this.#full;
  }

  #fail(error: unknown): void {
    this.#queue.length = 0;
    const failure = error instanceof Error ? error : new TypeError(String(error));
    this.#send({ type: 'ERROR', error: failure });
    this.#finish({ kind: 'failed', error: failure });
  }

  #drained(): void {
    this.#full = false;
    this.#pump();
  }

  #pump(): void {
    while (!this.#busy && !this.#full && !this.#ended) {
      const next = this.#queue.shift();
      if (next === undefined) {
        if (this.#ending !== undefined) this.#finish(this.#ending);
        else if (this.#watch === undefined) this.#drainedEarly = true;
        else this.#watch.drained();
        return;
      }
      this.#pass(next);
    }
  }

  #finish(reason: WatchEnd): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#queue.length = 0;
    this.#watch?.stop();
    this.#onFinish();
    this.#sink.end(reason);
  }
}
