import type { ServerResponse } from 'node:http';
import type { ServerRequestContext } from '../request/server-request-context.ts';
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
}

/** The watches that are being answered, so that they can be ended. */
export class OpenWatches {
  readonly #open = new Set<OpenWatch>();

  get size(): number {
    return this.#open.size;
  }

  add(context: ServerRequestContext): void {
    const { response } = context;
    const watch: OpenWatch = { context, response, stream: undefined, sent: 0, bytes: 0, lastAt: -1 };
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
    for (const { response, sent, stream = streamOf(response) } of watches) {
      if (stream === undefined ? sent > 0 : !stream.betweenEvents) response.destroy();
      else if (stream !== undefined && response.headersSent) response.end(stream.expired());
      else response.end();
    }
    return watches.length;
  }
}

function streamOf(response: ServerResponse): WatchStream | undefined {
  return watchStream(String(response.getHeader('content-type') ?? ''));
}
