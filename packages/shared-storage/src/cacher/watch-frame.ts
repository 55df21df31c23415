import type { WatchEvent } from '../storage/interfaces.ts';
import { SharedWatchEvent } from './shared-watch-event.ts';

/** A watch event that carries an object. */
export type ObjectWatchEvent = Extract<WatchEvent, { readonly record: unknown }>;

const heads = {
  ADDED: Buffer.from('{"type":"ADDED","object":'),
  MODIFIED: Buffer.from('{"type":"MODIFIED","object":'),
  DELETED: Buffer.from('{"type":"DELETED","object":'),
};
const tail = Buffer.from('}\n');

/**
 * Frames are kept on their events until this many bytes of younger ones exist in the process: long enough for all
 * watchers of an event, short enough that the history window does not hold every object twice.
 */
const FRAME_MEMORY_BYTES = 8 * 1024 * 1024;

/** Oldest first; entries before `#head` are gone. */
class FrameMemory {
  #events: SharedWatchEvent[] = [];
  #head = 0;
  bytes = 0;

  keep(event: SharedWatchEvent, frame: Uint8Array): void {
    event.frame = frame;
    this.bytes += frame.length;
    this.#events.push(event);
    while (this.bytes > FRAME_MEMORY_BYTES && this.#head < this.#events.length - 1) {
      const oldest = this.#events[this.#head++]!;
      this.bytes -= oldest.frame?.length ?? 0;
      oldest.frame = undefined;
    }
    if (this.#head > 1024 && this.#head * 2 > this.#events.length) {
      this.#events = this.#events.slice(this.#head);
      this.#head = 0;
    }
  }
}

const memory = new FrameMemory();
let encoded = 0;
let shared = 0;

/**
 * The event as it goes over the wire in the resource's memory version, `{"type":"ADDED","object":{…}}` and a newline,
 * joined from the record's bytes without encoding anything again. The result is shared: it must not be changed.
 */
export function watchFrame(event: ObjectWatchEvent): Uint8Array {
  if (!(event instanceof SharedWatchEvent)) return join(event);
  if (event.frame !== undefined) {
    shared++;
    return event.frame;
  }
  const frame = join(event);
  memory.keep(event, frame);
  return frame;
}

/** Counters of this process: frames built, frames reused, and the bytes that are kept for reuse. */
export function watchFrameStatistics(): {
  readonly encoded: number;
  readonly shared: number;
  readonly keptBytes: number;
} {
  return { encoded, shared, keptBytes: memory.bytes };
}

function join(event: ObjectWatchEvent): Uint8Array {
  encoded++;
  const head = heads[event.type];
  const json = event.record.json;
  const frame = Buffer.allocUnsafeSlow(head.length + json.length + tail.length);
  frame.set(head, 0);
  frame.set(json, head.length);
  frame.set(tail, head.length + json.length);
  return frame;
}
