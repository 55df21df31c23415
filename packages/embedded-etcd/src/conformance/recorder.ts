import { MessageQueue } from '../testing/message-queue.ts';
import type { Message, RawClient } from '../testing/raw-client.ts';

/** One exchange of a scenario, in a form that two servers can be compared by. */
export type Entry = Message;

/** A named conversation with a server whose store is empty. */
export interface Scenario {
  readonly name: string;
  run(recorder: Recorder): Promise<void>;
}

/** Talks to a server and writes down what it answers. */
export class Recorder {
  readonly entries: Entry[] = [];
  readonly #client: RawClient;
  readonly #open: MessageQueue[] = [];

  constructor(client: RawClient) {
    this.#client = client;
  }

  /** A unary call, with its reply or its error. */
  async call(name: string, request: Message): Promise<void> {
    const entry: Entry = { call: name, request: normalize(request) };
    try {
      entry['reply'] = normalize(await this.#client.call(name, request));
    } catch (error) {
      const { code, details } = error as { code: number; details: string };
      entry['error'] = { code, message: details };
    }
    this.entries.push(entry);
  }

  put(key: string, value: string, more: Message = {}): Promise<void> {
    return this.call('KV.Put', { key: bytes(key), value: bytes(value), ...more });
  }

  range(key: string, more: Message = {}): Promise<void> {
    return this.call('KV.Range', { key: bytes(key), ...more });
  }

  delete(key: string, more: Message = {}): Promise<void> {
    return this.call('KV.DeleteRange', { key: bytes(key), ...more });
  }

  /** Opens a stream; cancelled at the end of the scenario. */
  stream(name: string): RecordedStream {
    const queue = new MessageQueue(this.#client.stream(name));
    this.#open.push(queue);
    return new RecordedStream(queue, this.entries);
  }

  close(): void {
    for (const queue of this.#open) queue.cancel();
  }
}

/** A stream whose messages are written down. */
export class RecordedStream {
  readonly #queue: MessageQueue;
  readonly #entries: Entry[];

  constructor(queue: MessageQueue, entries: Entry[]) {
    this.#queue = queue;
    this.#entries = entries;
  }

  send(request: Message): void {
    this.#entries.push({ send: normalize(request) });
    this.#queue.send(request);
  }

  /**
   * Takes `count` replies. Servers may put several revisions in one watch reply,
   * so with `events` it takes replies until that many events came, and writes the
   * events down without the borders between replies.
   */
  async take(count: number): Promise<void> {
    for (let taken = 0; taken < count; taken++) this.#entries.push({ received: normalize(await this.#queue.next()) });
  }

  async takeEvents(count: number): Promise<void> {
    const events: unknown[] = [];
    while (events.length < count) {
      const reply = await this.#queue.next();
      const more = reply['events'] as unknown[] | undefined;
      if (more === undefined || more.length === 0) {
        this.#entries.push({ unexpected: normalize(reply) });
        return;
      }
      for (const event of more) events.push({ watchId: reply['watch_id'] ?? 0, event: normalize(event) });
    }
    this.#entries.push({ events });
  }

  /** Writes down what comes unasked within 200 ms. */
  async silence(): Promise<void> {
    this.#entries.push({ silence: (await this.#queue.drain(200)).map(normalize) });
  }

  end(): void {
    this.#queue.stream.end();
  }
}

/** The bytes of a text whose characters are 0 to 255. */
export function bytes(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}

/** Bytes become text, and ids that differ between servers become marks. */
function normalize(value: unknown): unknown {
  if (Buffer.isBuffer(value)) return value.length > 64 ? `${value.length} bytes` : value.toString('latin1');
  if (Array.isArray(value)) return value.map(normalize);
  if (typeof value !== 'object' || value === null) return value;
  const normal: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(value)) {
    normal[name] =
      name === 'cluster_id' || name === 'member_id' || name === 'raft_term'
        ? member === 0
          ? 0
          : 'set'
        : normalize(member);
  }
  return normal;
}
