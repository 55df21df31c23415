import type { ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { cutResponse } from '../responses/cut-response.ts';
import { isWebSocketRequest } from '../streaming/web-socket-handshake.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import type { FaultSet, MetByWatch } from './fault-set.ts';
import { FaultyWatch, interceptEvents } from './faulty-watch.ts';
import { watchStream, type WatchStream } from './watch-stream.ts';
import { WebSocketStream } from './web-socket-stream.ts';

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
  /** What takes its events: the answer, or the socket of a WebSocket. */
  readonly target: ServerResponse | Socket;
  /** Known once something was sent, of a WebSocket from the start. */
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
    const socket = socketOf(context);
    const watch: OpenWatch = {
      context,
      target: socket ?? context.response,
      stream: socket === undefined ? undefined : new WebSocketStream(asksForProtobuf(context)),
      sent: 0,
      bytes: 0,
      lastAt: -1,
      met: new Map(),
      isOver: false,
    };
    this.#open.add(watch);
    context.response.once('close', () => {
      this.#open.delete(watch);
    });
    const { target } = watch;
    const write = target.write.bind(target) as (...args: readonly unknown[]) => boolean;
    target.write = ((...args: readonly unknown[]) => {
      const chunk = args[0] as string | Uint8Array;
      watch.sent++;
      watch.bytes += chunk.length;
      watch.lastAt = performance.now();
      watch.stream ??= streamOf(watch);
      watch.stream?.sent(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
      return write(...args);
    }) as typeof target.write;
    this.#letFaultsHappen(watch);
  }

  /** Lets faults that have begun happen to all of them. */
  meetFaults(): void {
    for (const watch of this.#open) this.#endByFault(watch);
  }

  #letFaultsHappen(watch: OpenWatch): void {
    const { context, target } = watch;
    const write = target.write.bind(target) as (bytes: Buffer) => boolean;
    const end = target.end.bind(target) as () => void;
    const faulty = new FaultyWatch({ write, end });
    context.response.once('close', () => {
      faulty.close();
    });
    interceptEvents(target, {
      take: (piece) => {
        // The event that says why it ends goes out, nothing after it.
        if (watch.isOver) return target.writableEnded;
        const effects = this.#faults.ofWatch(context, watch.met);
        if (effects.length === 0 && faulty.isIdle) return false;
        const leading = leadingBytes(watch, piece);
        if (leading > 0) write(piece.subarray(0, leading));
        if (leading === piece.length || this.#endByFault(watch)) return true;
        const delayMs = Math.max(0, ...effects.map((effect) => (effect.kind === 'delay' ? effect.milliseconds : 0)));
        const withoutBookmarks = effects.some(({ kind }) => kind === 'withoutBookmarks');
        watch.stream ??= streamOf(watch);
        faulty.send(piece.subarray(leading), watch.stream, { delayMs, withoutBookmarks });
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
    if (last.kind === 'cut') cutOff(watch);
    else {
      // A WebSocket that is not there yet cannot be told: its first event is.
      if (watch.stream instanceof WebSocketStream && !watch.stream.isOpen) return false;
      expire(watch);
    }
    return true;
  }

  list(): WatchState[] {
    const now = performance.now();
    return [...this.#open].map(({ bytes, context, lastAt, sent, target }) => ({
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
      unreadBytes: target.writableLength,
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
function expire(watch: OpenWatch): void {
  watch.isOver = true;
  const { context, sent, target, stream = streamOf(watch) } = watch;
  const begun = target === context.response ? context.response.headersSent : sent > 0;
  if (stream === undefined ? sent > 0 : begun && !stream.betweenEvents) cut(target);
  else if (stream !== undefined && begun) target.end(stream.expired());
  else target.end();
}

function cutOff(watch: OpenWatch): void {
  watch.isOver = true;
  const { request } = watch.context;
  cut(watch.target);
  if (request.httpVersionMajor === 1) request.socket.destroy();
}

/** So that nobody takes what has come for an orderly end. */
function cut(target: OpenWatch['target']): void {
  if (target instanceof Socket) target.destroy();
  else cutResponse(target);
}

/** The socket that a WebSocket is to be made of. */
function socketOf({ request, response }: ServerRequestContext): Socket | undefined {
  return isWebSocketRequest(request) ? (response.socket ?? undefined) : undefined;
}

function asksForProtobuf({ request }: ServerRequestContext): boolean {
  return (request.headers.accept ?? '').includes('protobuf');
}

/** Of a piece, what is the handshake of a WebSocket, which no fault is about. */
function leadingBytes({ stream }: OpenWatch, piece: Buffer): number {
  return stream instanceof WebSocketStream ? stream.leadingBytes(piece) : 0;
}

function streamOf({ context: { response } }: OpenWatch): WatchStream | undefined {
  return watchStream(String(response.getHeader('content-type') ?? ''));
}
