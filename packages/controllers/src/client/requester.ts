import type { TransportResponse } from './transport.ts';

/** One request to the API server. */
export interface RequestOptions {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: URLSearchParams | undefined;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  /** Further headers, with names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is asked for, named in the error of an answer without a Status. */
  readonly about?: { readonly group: string; readonly resource: string; readonly name?: string };
  readonly signal?: AbortSignal | undefined;
}

/** Asks the API server: what the verbs of a resource need of a client. All throw StatusError or TransportError. */
export interface Requester {
  json<T = unknown>(options: RequestOptions): Promise<T>;
  text(options: RequestOptions): Promise<string>;
  /** What `reader` makes of the answer's body, which it reads piece by piece. */
  read<R>(options: RequestOptions, reader: (body: AsyncIterable<Uint8Array>) => Promise<R>): Promise<R>;
  /** A successful answer whose body is still to be read. */
  stream(options: RequestOptions): Promise<TransportResponse>;
}
