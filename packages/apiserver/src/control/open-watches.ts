import type { ServerResponse } from 'node:http';
import type { ServerRequestContext } from '../request/server-request-context.ts';

/** What a watch gets whose resourceVersion has been compacted, as a line of its stream. */
const expired = Buffer.from(
  `${JSON.stringify({
    type: 'ERROR',
    object: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'The resourceVersion for the provided watch is too old.',
      reason: 'Expired',
      code: 410,
    },
  })}\n`,
);
const newline = 0x0a;

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
  betweenLines: boolean;
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
    const watch: OpenWatch = { context, response, betweenLines: true, sent: 0, bytes: 0, lastAt: -1 };
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
      if (typeof chunk === 'string') watch.betweenLines = chunk.endsWith('\n');
      else if (chunk.length > 0) watch.betweenLines = chunk[chunk.length - 1] === newline;
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
    for (const { betweenLines, response } of watches) {
      const json = /^application\/json\b/.test(String(response.getHeader('content-type') ?? ''));
      if (!betweenLines) response.destroy();
      else if (json && response.headersSent) response.end(expired);
      else response.end();
    }
    return watches.length;
  }
}
