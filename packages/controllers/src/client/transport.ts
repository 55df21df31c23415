/** One request to the API server, before anything is known of protocols. */
export interface TransportRequest {
  readonly method: string;
  /** Path and query, escaped. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** Ends the request, and a response that is still being read. */
  readonly signal?: AbortSignal | undefined;
}

/** The beginning of an answer; the rest is read from `body`. */
export interface TransportResponse {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Ends with an error when the connection is lost or `signal` aborts. Read it to its end, or abort. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** The way to an API server: over the network, or into the same process. */
export interface Transport {
  /** @throws TransportError when no answer came */
  send(request: TransportRequest): Promise<TransportResponse>;
  /** Ends all requests. Idempotent. */
  close(): void;
}

/** No answer: the server cannot be reached, or the connection broke. Trying again may help. */
export class TransportError extends Error {
  override readonly name = 'TransportError';
}
