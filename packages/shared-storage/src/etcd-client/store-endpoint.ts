import type { CallStream, CallStreamHandler } from './call-stream.ts';
import { callSpan } from './call-span.ts';
import { Endpoint } from './endpoint.ts';
import type { EndpointCall } from './endpoint.ts';
import type { EndpointOptions } from './endpoint-options.ts';
import { EtcdError } from './etcd-error.ts';
import { FrameEndpoint } from './frame-endpoint.ts';
import type { Lane } from './frame-endpoint.ts';

/**
 * One endpoint of the store: asked over connections of one call each where it offers them, as the embedded store does,
 * and over HTTP/2 where it does not, as etcd. No request is sent before that is known.
 *
 * With TLS watches go over HTTP/2 as well: dozens of handshakes would cost more than what they save.
 */
export class StoreEndpoint {
  readonly url: string;
  readonly #frames: FrameEndpoint;
  readonly #http2: Endpoint;

  /** @param url `http://host:port`, `https://host:port`, `unix:PATH` or `host:port` (taken as http). */
  constructor(url: string, options: EndpointOptions) {
    this.#http2 = new Endpoint(url, { ...options, joinCalls: true });
    this.url = this.#http2.url;
    this.#frames = new FrameEndpoint(
      { url: this.url, server: this.#http2.server, options },
      () => this.#http2.connected,
    );
  }

  /** Sends `frame` and resolves to the response message. @throws EtcdError */
  unary(path: string, frame: Buffer, options: EndpointCall): Promise<Buffer> {
    const calls = this.#frames.lane(laneOf(options));
    return calls === undefined
      ? this.#unaryOnceOpen(path, frame, options)
      : traced(path, calls.unary(path, frame, options));
  }

  /** Opens a bidirectional call. */
  async stream(path: string, handler: CallStreamHandler): Promise<CallStream> {
    const stream = this.url.startsWith('https:') ? undefined : await this.#frames.stream(path, handler);
    return stream ?? this.#http2.stream(path, handler);
  }

  /** Breaks the connections; open calls fail. */
  close(): void {
    this.#frames.close();
    this.#http2.close();
  }

  async #unaryOnceOpen(path: string, frame: Buffer, options: EndpointCall): Promise<Buffer> {
    const startedMs = performance.now();
    const calls = await this.#opened(options);
    const timeoutMs = Math.max(1, Math.ceil(options.timeoutMs - (performance.now() - startedMs)));
    const rest = { ...options, timeoutMs };
    return calls === undefined ? this.#http2.unary(path, frame, rest) : traced(path, calls.unary(path, frame, rest));
  }

  /** Others may wait for the same: what bounds a call ends its waiting alone. Nothing has been sent then. */
  #opened(call: EndpointCall): ReturnType<FrameEndpoint['open']> {
    const { signal, timeoutMs } = call;
    return new Promise((resolve, reject) => {
      const fail = (code: 'Cancelled' | 'Unavailable', text: string): void => {
        settled();
        reject(new EtcdError(code, text, { notSent: true }));
      };
      const abort = (): void => fail('Cancelled', 'the request was cancelled');
      const timer = setTimeout(
        () => fail('Unavailable', `${this.#http2.server} cannot be reached: no connection within ${timeoutMs} ms`),
        timeoutMs,
      );
      const settled = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
      };
      if (signal?.aborted === true) {
        abort();
        return;
      }
      signal?.addEventListener('abort', abort);
      this.#frames.open(laneOf(call)).finally(settled).then(resolve, reject);
    });
  }
}

function laneOf({ longAnswer }: EndpointCall): Lane {
  return longAnswer === true ? 'long' : 'short';
}

/** The embedded store traces nothing, so that the step has no need to be told to it. */
function traced(path: string, answer: Promise<Buffer>): Promise<Buffer> {
  const span = callSpan(path);
  if (span === undefined) return answer;
  return answer.then(
    (message) => {
      span.end();
      return message;
    },
    (error: unknown) => {
      span.end(error);
      throw error;
    },
  );
}
