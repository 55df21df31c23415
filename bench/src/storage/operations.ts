import { watchFrame, watchFrameStatistics } from '@kubechain/shared-storage';
import type { WatchEvent, WatchSink } from '@kubechain/shared-storage';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { Subject } from './backends.ts';
import { currentMemory, memoryInUse } from './memory.ts';
import { NODES, PREFIX, onNode, pod, podKey } from './pods.ts';
import { streamList } from './stream-list.ts';

/** What was measured: how long one operation takes, and what it cost the store behind. */
export interface Measurement {
  readonly operation: string;
  readonly milliseconds: number;
  /**
   * The same of the run that took least, which other work on the machine has disturbed least; absent where runs are not
   * timed one by one.
   */
  readonly bestMilliseconds?: number;
  /** Calls to the backend per operation, watches and progress requests included. */
  readonly callsPerOperation: number;
  readonly note: string;
  /** Further figures of the operation, by name. */
  readonly figures?: Readonly<Record<'encodesPerEvent' | 'slowestToMedian', number>>;
}

export interface Sizes {
  readonly objects: number;
  readonly objectBytes: number;
  readonly watchers: number;
  readonly events: number;
  readonly seconds: number;
}

/** Repeats `run` for about `seconds`, at least three times. */
async function measure(
  subject: Subject,
  operation: string,
  options: { readonly seconds: number; readonly perRun?: number; readonly note?: () => string },
  run: (i: number) => Promise<unknown>,
): Promise<Measurement> {
  for (let i = 0; i < 3; i++) await run(i);
  subject.calls.reset();
  const startMs = performance.now();
  let runs = 0;
  let bestMs = Infinity;
  for (let beginMs = startMs; runs < 3 || beginMs - startMs < options.seconds * 1000;) {
    await run(runs++);
    const endMs = performance.now();
    bestMs = Math.min(bestMs, endMs - beginMs);
    beginMs = endMs;
  }
  const operations = runs * (options.perRun ?? 1);
  return {
    operation,
    milliseconds: (performance.now() - startMs) / operations,
    bestMilliseconds: bestMs / (options.perRun ?? 1),
    callsPerOperation: subject.calls.count() / operations,
    note: options.note?.() ?? '',
  };
}

class Discard extends Writable {
  override _write(_chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    done();
  }
}

export async function readAndWrite(subject: Subject, sizes: Sizes): Promise<Measurement[]> {
  const { storage } = subject;
  const { objects, seconds } = sizes;
  const results: Measurement[] = [];
  results.push(await measure(subject, 'get', { seconds }, (i) => storage.get(podKey(i % objects))));
  results.push(
    await measure(subject, 'get, 64 readers', { seconds, perRun: 64 }, (i) =>
      Promise.all(Array.from({ length: 64 }, (_, j) => storage.get(podKey((i * 64 + j) % objects)))),
    ),
  );
  results.push(
    await measure(subject, 'get, resourceVersion=0', { seconds }, (i) =>
      storage.get(podKey(i % objects), { resourceVersion: '0' }),
    ),
  );
  results.push(await measure(subject, `list ${objects}`, { seconds }, () => storage.getList(PREFIX)));
  results.push(
    await measure(subject, `list ${objects}, bytes joined`, { seconds }, async () =>
      streamList(await storage.getList(PREFIX), new Discard()),
    ),
  );
  results.push(
    await measure(subject, 'list, pages of 500', { seconds, perRun: Math.ceil(objects / 500) }, async () => {
      let token = '';
      do
        ({ continue: token } = await storage.getList(PREFIX, {
          limit: 500,
          ...(token === '' ? {} : { continue: token }),
        }));
      while (token !== '');
    }),
  );
  results.push(
    await measure(subject, `list of one node in ${NODES}`, { seconds }, (i) =>
      storage.getList(PREFIX, { predicate: onNode(`node-${i % NODES}`) }),
    ),
  );
  results.push(
    await measure(subject, 'update', { seconds }, (i) =>
      storage.guaranteedUpdate(podKey(i % objects), ({ object }) => ({
        object: { ...object, status: { phase: 'Running', observedGeneration: i + 1 } },
      })),
    ),
  );
  results.push(
    await measure(subject, 'update, 64 writers', { seconds, perRun: 64 }, (i) =>
      Promise.all(
        Array.from({ length: 64 }, (_, j) =>
          storage.guaranteedUpdate(podKey((i * 64 + j) % objects), ({ object }) => ({
            object: { ...object, status: { phase: 'Pending', observedGeneration: i } },
          })),
        ),
      ),
    ),
  );
  return results;
}

/** Encodes what it gets, as an endpoint does, and notes when. */
class FrameSink implements WatchSink {
  events = 0;
  bytes = 0;
  delayMs = 0;
  readonly #sentAt: ReadonlyMap<number, number>;
  constructor(sentAt: ReadonlyMap<number, number>) {
    this.#sentAt = sentAt;
  }
  event(event: WatchEvent): boolean {
    if (event.type === 'BOOKMARK' || event.type === 'ERROR') return true;
    this.bytes += watchFrame(event).length;
    this.events++;
    const index = Number(event.record.attributes.name.slice(4));
    this.delayMs += performance.now() - (this.#sentAt.get(index) ?? 0);
    return true;
  }
  end(): void {
    /* nothing to close */
  }
}

/** One writer, many watchers of everything: time from a write to the last watcher's frame. */
export async function fanOut(subject: Subject, sizes: Sizes): Promise<Measurement> {
  const { watchers, events, objects, objectBytes } = sizes;
  const { storage } = subject;
  const sentAt = new Map<number, number>();
  const sinks = Array.from({ length: watchers }, () => new FrameSink(sentAt));
  const { resourceVersion } = await storage.getList(PREFIX, { limit: 1 });
  const watches = await Promise.all(sinks.map((sink) => storage.watch(PREFIX, { resourceVersion }, sink)));
  const encodedBefore = watchFrameStatistics().encoded;
  subject.calls.reset();
  const startMs = performance.now();
  for (let i = 0; i < events; i++) {
    const index = i % objects;
    sentAt.set(index, performance.now());
    await storage.guaranteedUpdate(podKey(index), () => ({ object: pod(index, objectBytes, 1_000_000 + i) }));
    while (sinks.some((sink) => sink.events <= i))
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
  }
  const milliseconds = (performance.now() - startMs) / events;
  for (const watch of watches) watch.stop();
  const delays = sinks.map(({ delayMs }) => delayMs / events).sort((a, b) => a - b);
  const encoded = (watchFrameStatistics().encoded - encodedBefore) / events;
  const median = delays[delays.length >> 1]!;
  return {
    operation: `event to ${watchers} watchers`,
    milliseconds,
    callsPerOperation: subject.calls.count() / events,
    figures: { encodesPerEvent: encoded, slowestToMedian: delays.at(-1)! / median },
    note:
      `${encoded.toFixed(1)} encodes/event; median ${median.toFixed(2)} ms, slowest ` +
      `${(delays.at(-1)! / median).toFixed(1)} x median`,
  };
}

/** Most memory that appears while a list goes to a client that reads 1 MiB every 10 ms. */
export async function streamingGrowth(
  subject: Subject,
): Promise<{ readonly bytes: number; readonly peakGrowth: number }> {
  const server = createServer((socket) => {
    void readSlowly(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  const before = memoryInUse();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, currentMemory());
  }, 1);
  const bytes = await streamList(await subject.storage.getList(PREFIX), socket);
  peak = Math.max(peak, currentMemory());
  clearInterval(sampler);
  socket.end();
  await once(socket, 'close');
  server.close();
  return { bytes, peakGrowth: peak - before };
}

async function readSlowly(socket: Socket): Promise<void> {
  let read = 0;
  for await (const chunk of socket) {
    read += (chunk as Buffer).length;
    if (read < 1024 * 1024) continue;
    read = 0;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}
