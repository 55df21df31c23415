import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestContext } from './request-context.ts';

/**
 * Members of objects and items of lists that a body, or a stored object, may have to be worked on by the thread that
 * serves everybody: at up to six microseconds for each, no step on one holds it for longer than 150 ms.
 */
export const mostValuesHere = 25_000;

/**
 * The bytes that it may have, at up to a hundred nanoseconds for each: etcd's own limit, so that config maps and
 * secrets of their largest size are within it.
 */
export const mostBytesHere = 1536 * 1024;

/** The same of YAML, whose bytes are read one after another. */
export const mostYAMLBytesHere = 1024 * 1024;

/** A request that was begun. */
export interface BegunExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly context: RequestContext;
  /** Its body, where that has been read. */
  readonly body?: Buffer;
}

/** Where requests are answered that would hold the thread which serves everybody: a second server beside it. */
export interface SideServer {
  /**
   * Whether it answers a request, of which nothing has been answered or stored; where it does not, the request is to be
   * answered here.
   */
  takes(exchange: BegunExchange): Promise<boolean>;
}

/** Thrown in the middle of a request of which nothing is stored yet: it is the side server's. */
export class LargeObjectError extends Error {
  override readonly name = 'LargeObjectError';

  constructor() {
    super('the stored object is too large to be worked on here');
  }
}
