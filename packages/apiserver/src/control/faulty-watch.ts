import type { Writable } from 'node:stream';
import type { WatchStream } from './watch-stream.ts';

/** Of the bookmark that ends the initial events: clients wait for it, so it is never kept back. */
const initialEventsEnd = 'k8s.io/initial-events-end';

/** What happens to the events of a watch at the moment. */
export interface EventFaults {
  /** They come so much later. */
  readonly delayMs: number;
  readonly withoutBookmarks: boolean;
}

/** Stands between the events of a watch and its connection: delays them, and keeps bookmarks back. */
export class FaultyWatch {
  readonly #write: (bytes: Buffer) => void;
  readonly #end: () => void;
  /** Events that are late, in their order. */
  readonly #late: { readonly bytes: Buffer; readonly dueAt: number }[] = [];
  #timer: NodeJS.Timeout | undefined = undefined;
  /** Bytes of an event that is not complete yet. */
  #rest = Buffer.alloc(0);
  /** Whether what is late ends with an event. */
  #wholeEvents = false;
  #ended = false;

  constructor(to: { readonly write: (bytes: Buffer) => void; readonly end: () => void }) {
    this.#write = to.write;
    this.#end = to.end;
  }

  /** Whether nothing of what came before is still to be sent. */
  get isIdle(): boolean {
    return this.#late.length === 0 && this.#rest.length === 0;
  }

  /** Takes the next piece of the stream, which may end anywhere. */
  send(piece: Buffer, stream: WatchStream | undefined, { delayMs, withoutBookmarks }: EventFaults): void {
    let bytes = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    // What began before the fault did is sent as it is, to its end.
    const atEvent =
      this.#rest.length > 0 || (this.#late.length > 0 ? this.#wholeEvents : stream?.betweenEvents === true);
    this.#rest = Buffer.alloc(0);
    this.#wholeEvents = withoutBookmarks && stream !== undefined && atEvent;
    if (withoutBookmarks && stream !== undefined && atEvent) bytes = this.#withoutBookmarks(bytes, stream);
    if (bytes.length === 0) return;
    if (delayMs === 0 && this.#late.length === 0) this.#write(bytes);
    else {
      this.#late.push({ bytes, dueAt: Math.max(this.#late.at(-1)?.dueAt ?? 0, performance.now() + delayMs) });
      this.#wait();
    }
  }

  /** Ends the stream behind what is late. */
  end(): void {
    this.#ended = true;
    const rest = this.#rest;
    this.#rest = Buffer.alloc(0);
    if (rest.length > 0) this.send(rest, undefined, { delayMs: 0, withoutBookmarks: false });
    if (this.#late.length === 0) this.#end();
  }

  /** Drops what is late. */
  close(): void {
    clearTimeout(this.#timer);
    this.#late.length = 0;
  }

  #withoutBookmarks(bytes: Buffer, stream: WatchStream): Buffer {
    const kept: Buffer[] = [];
    let left = bytes;
    for (let end = stream.endOfEvent(left); end !== undefined; end = stream.endOfEvent(left)) {
      const event = left.subarray(0, end);
      left = left.subarray(end);
      if (!stream.isBookmark(event) || event.includes(initialEventsEnd)) kept.push(event);
    }
    this.#rest = Buffer.from(left);
    return Buffer.concat(kept);
  }

  #wait(): void {
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#sendDue();
      },
      Math.max(0, (this.#late[0]?.dueAt ?? 0) - performance.now()),
    );
  }

  #sendDue(): void {
    while (this.#late.length > 0 && (this.#late[0] as { dueAt: number }).dueAt <= performance.now())
      this.#write((this.#late.shift() as { bytes: Buffer }).bytes);
    if (this.#late.length > 0) this.#wait();
    else if (this.#ended) this.#end();
  }
}

/** Lets what a handler sends go through `take`, which is given each piece and answers whether it has taken it. */
export function interceptEvents(
  target: Pick<Writable, 'end' | 'write'>,
  { ended, take }: { readonly take: (piece: Buffer) => boolean; readonly ended: () => boolean },
): void {
  const write = target.write.bind(target) as (...args: readonly unknown[]) => boolean;
  const end = target.end.bind(target) as (...args: readonly unknown[]) => unknown;
  target.write = ((...args: readonly unknown[]) => {
    const chunk = args[0] as string | Uint8Array;
    if (!take(bufferOf(chunk))) return write(...args);
    const done = args.at(-1);
    if (typeof done === 'function') process.nextTick(done as () => void);
    return true;
  }) as typeof target.write;
  target.end = ((...args: readonly unknown[]) => {
    const [chunk] = args;
    if ((typeof chunk === 'string' || chunk instanceof Uint8Array) && take(bufferOf(chunk))) args = args.slice(1);
    return ended() ? target : end(...args);
  }) as typeof target.end;
}

function bufferOf(chunk: string | Uint8Array): Buffer {
  return typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}
