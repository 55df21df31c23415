import type { ServerResponse } from 'node:http';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import type { FaultSet, MetByWatch } from './fault-set.ts';
import { FaultyWatch, interceptEvents } from './faulty-watch.ts';
import { watchStream, type WatchStream } from './watch-stream.ts';

/** A watch as it is told. */
export interface WatchState {
  readonly auditID: string;
  readonly user: string;
  readonly userAgent: string;
  readonly uri: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  /** Server that answers it; '' for the first. */
  readonly server: string;
  readonly openMs: number;
  /** Pieces that were sent: events, or several that came at once. */
  readonly sent: number;
  readonly bytes: number;
  /** What the client has not taken yet: how far behind it is. */
  readonly unreadBytes: number;
  /** Since something was sent, ms; -1 when nothing was. */
  readonly quietMs: number;
}

/** One watch, and whether an event can be put in where its stream is. */
interface OpenWatch {
  readonly context: ServerRequestContext;
  readonly response: ServerResponse;
  /** Known once something was sent. */
  stream: WatchStream | undefined;
  sent: number;
  bytes: number;
  lastAt: number;
  /** Faults that were decided for it. */
  readonly met: MetByWatch;
  /** Whether a fault has ended it. */
  isOver: boolean;
}

/** The watches that are being answered, so that they can be ended, and what they are sent can meet faults. */
export class OpenWatches {
  readonly #faults: FaultSet;
  readonly #open = new Set<OpenWatch>();

  constructor(faults: FaultSet) {
    this.#faults = faults;
  }

  get size(): number {
    return this.#open.size;
  }

  add(context: ServerRequestContext): void {
    const { response } = context;
    const watch: OpenWatch = {
      context,
      response,
      stream: undefined,
      sent: 0,
      bytes: 0,
      lastAt: -1,
      met: new Map(),
      isOver: false,
    };
    this.#open.add(watch);
    response.once('close', () => {
      this.#open.delete(watch);
    });
    const write = response.write.bind(response) as (...args: readonly unknown[]) => boolean;
    response.write = ((...args: readonly unknown[]) => {
      const chunk = args[0] as string | Uint8Array;
      watch.sent++;
      watch.bytes += chunk.length;
      watch.lastAt = performance.now();
      watch.stream ??= streamOf(response);
      watch.stream?.sent(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
      return write(...args);
    }) as typeof response.write;
    this.#letFaultsHappen(watch);
  }

  /** Lets faults that have begun happen to all of them. */
  meetFaults(): void {
    for (const watch of this.#open) this.#endByFault(watch);
  }

  #letFaultsHappen(watch: OpenWatch): void {
    const { response } = watch;
    const write = response.write.bind(response) as (bytes: Buffer) => boolean;
    const end = response.end.bind(response) as () => void;
    const faulty = new FaultyWatch({ write, end });
    response.once('close', () => {
      faulty.close();
    });
    interceptEvents(response, {
      take: (piece) => {
        // The event that says why it ends goes out, nothing after it.
        if (watch.isOver) return response.writableEnded;
        const effects = this.#faults.ofWatch(watch.context, watch.met);
        if (effects.length === 0 && faulty.isIdle) return false;
        if (this.#endByFault(watch)) return true;
        const delayMs = Math.max(0, ...effects.map((effect) => (effect.kind === 'delay' ? effect.milliseconds : 0)));
        const withoutBookmarks = effects.some(({ kind }) => kind === 'withoutBookmarks');
        watch.stream ??= streamOf(response);
        faulty.send(piece, watch.stream, { delayMs, withoutBookmarks });
        return true;
      },
      ended: () => {
        if (watch.isOver || faulty.isIdle) return false;
        faulty.end();
        return true;
      },
    });
  }

  /** Whether a fault has ended it. */
  #endByFault(watch: OpenWatch): boolean {
    if (watch.isOver) return true;
    const effects = this.#faults.ofWatch(watch.context, watch.met);
    const last = effects.find(({ kind }) => kind === 'cut' || kind === 'expired');
    if (last === undefined) return false;
    watch.isOver = true;
    if (last.kind === 'cut') cutOff(watch);
    else expire(watch);
    return true;
  }

  list(): WatchState[] {
    const now = performance.now();
    return [...this.#open].map(({ bytes, context, lastAt, response, sent }) => ({
      auditID: context.auditID,
      user: context.user.name,
      userAgent: context.request.headers['user-agent'] ?? '',
      uri: context.request.url ?? '',
      group: context.requestInfo.apiGroup,
      resource: context.requestInfo.resource,
      namespace: context.requestInfo.namespace,
      server: context.delegate,
      openMs: Math.round(now - context.startedAt),
      sent,
      bytes,
      unreadBytes: response.writableLength,
      quietMs: lastAt < 0 ? -1 : Math.round(now - lastAt),
    }));
  }

  /**
   * Ends all of them with 410, so that their clients list again; those that cannot be told so just end. Their number.
   */
  expire(): number {
    const watches = [...this.#open];
    for (const watch of watches) expire(watch);
    return watches.length;
  }
}

/** With 410 where its client can be told so; otherwise it just ends. */
function expire({ response, sent, stream = streamOf(response) }: OpenWatch): void {
  if (stream === undefined ? sent > 0 : !stream.betweenEvents) response.destroy();
  else if (stream !== undefined && response.headersSent) response.end(stream.expired());
  else response.end();
}

function cutOff({ context: { request }, response }: OpenWatch): void {
  response.destroy();
  if (request.httpVersionMajor === 1) request.socket.destroy();
}

function streamOf(response: ServerResponse): WatchStream | undefined {
  return watchStream(String(response.getHeader('content-type') ?? ''));
}
