import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Dispatcher } from 'undici';
import { getRequestContext } from '../../endpoints/request-context.ts';
import { endPhase } from '../../endpoints/timed.ts';
import type { HopTermination } from './hop-termination.ts';

/** Response headers that belong to one connection (RFC 9110 7.6.1); `transfer-encoding` is the writer's own. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);

/** Told when a relay is over, so that the delegate's bookkeeping needs no closures. */
export interface RelayOwner {
  relayStarted(relay: Relay): void;
  /** Once for each, before anything is answered for a target that did not. */
  relayEnded(relay: Relay, reason: HopTermination): void;
  /** Answers for a target that did not. */
  relayFailed(relay: Relay, error: Error): void;
}

type Controller = Dispatcher.DispatchController;

const newline = 0x0a;

/**
 * Carries one response back from the next process, as undici's dispatch handler: headers at once, body chunk by chunk
 * with back-pressure, trailers, and aborts in both directions.
 *
 *     target ──onResponseData──▶ response.write ──false──▶ controller.pause
 *                                        drain ─────────▶ controller.resume
 *     client closes ──▶ controller.abort        target dies ──▶ owner.relayFailed, or the response is cut
 */
export class Relay implements Dispatcher.DispatchHandler {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** performance.now() at dispatch; the owner probes a target that lets a relay wait long for headers. */
  readonly startedAt: number;
  readonly #owner: RelayOwner;
  /** A long answer: a watch, a log that is followed. */
  readonly streaming: boolean;
  #controller: Controller | undefined = undefined;
  #headersSeen = false;
  #ended = false;
  /** The last byte of the answer so far ends a line, as each event of a watch does; so does an empty answer. */
  #betweenLines = true;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    options: { readonly owner: RelayOwner; readonly streaming: boolean },
  ) {
    const { owner, streaming } = options;
    this.streaming = streaming;
    this.request = request;
    this.response = response;
    this.#owner = owner;
    this.startedAt = performance.now();
    response.once('close', () => {
      this.#clientClosed();
    });
  }

  get waitingForHeaders(): boolean {
    return !this.#headersSeen && !this.#ended;
  }

  /** Gives up on a target that cannot be asked, or does not answer. */
  fail(kind: 'unreachable' | 'unresponsive', error: Error): void {
    if (this.#ended) return;
    this.#end({ kind, error });
    this.#controller?.abort(error);
    this.#owner.relayFailed(this, error);
  }

  /**
   * Ends a stream because this server is going away: cleanly between two lines, else broken, so that nobody takes half
   * an event for a whole one.
   */
  finish(): void {
    if (this.#ended) return;
    this.#end({ kind: 'shutting_down' });
    const reason = new Error('the server is shutting down');
    this.#controller?.abort(reason);
    if (!this.response.headersSent) this.#owner.relayFailed(this, reason);
    else if (this.#betweenLines) this.response.end();
    else this.response.destroy();
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.#ended) controller.abort(new Error('the request is over'));
  }

  onResponseStart(controller: Controller, statusCode: number): void {
    const { response } = this;
    if (this.#ended || response.headersSent) {
      controller.abort(new Error('the response is over'));
      return;
    }
    const raw = controller.rawHeaders as Buffer[];
    if (statusCode < 200) {
      this.#informational(statusCode, raw);
      return;
    }
    this.#headersSeen = true;
    endPhase(getRequestContext(this.request), 'hop', this.startedAt);
    copyHeaders(raw, response);
    // Bodies of HEAD, 204 and 304 never come; Node knows that from status and method.
    response.writeHead(statusCode);
    // Watches must reach the client before their first event; other headers leave in one system call with the first
    // bytes of the body.
    if (this.streaming) {
      response.flushHeaders();
      getRequestContext(this.request).watchInitialized?.();
    }
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    const { response } = this;
    if (response.destroyed || response.writableEnded) {
      controller.abort(new Error('the response is over'));
      return;
    }
    if (this.streaming && chunk.length > 0) this.#betweenLines = chunk[chunk.length - 1] === newline;
    if (!response.write(chunk)) {
      controller.pause();
      response.once('drain', () => {
        controller.resume();
      });
    }
  }

  onResponseEnd(controller: Controller): void {
    if (this.#ended) return;
    this.#end({ kind: 'completed' });
    const { response } = this;
    const trailers = controller.rawTrailers as Buffer[] | null | undefined;
    if (trailers !== null && trailers !== undefined && trailers.length > 0) response.addTrailers(pairs(trailers));
    response.end();
  }

  onResponseError(_controller: Controller, error: Error): void {
    if (this.#ended) return;
    this.#end({ kind: this.response.headersSent ? 'broken' : 'unreachable', error });
    // Half an answer must not look whole: the client sees a broken stream and asks again.
    if (this.response.headersSent) this.response.destroy();
    else this.#owner.relayFailed(this, error);
  }

  #informational(statusCode: number, raw: Buffer[]): void {
    if (statusCode !== 103) return;
    const hints: Record<string, string | string[]> = {};
    for (const [name, value] of pairs(raw)) hints[name.toLowerCase()] = value;
    if (hints['link'] !== undefined) this.response.writeEarlyHints(hints);
  }

  #clientClosed(): void {
    if (this.#ended) return;
    this.#end({ kind: 'client_left' });
    this.#controller?.abort(new Error('the client went away'));
  }

  #end(reason: HopTermination): void {
    this.#ended = true;
    this.#owner.relayEnded(this, reason);
  }
}

/**
 * Sets the target's headers over what the filters have set; Warning and Server-Timing are joined, because both
 * processes may have some.
 */
function copyHeaders(raw: readonly Buffer[], response: ServerResponse): void {
  let lastName = '';
  for (let i = 0; i < raw.length; i += 2) {
    const name = (raw[i] as Buffer).toString('latin1');
    const value = (raw[i + 1] as Buffer).toString('latin1');
    const lower = name.toLowerCase();
    if (hopByHop.has(lower)) continue;
    if (lower === lastName || lower === 'warning' || lower === 'server-timing') response.appendHeader(name, value);
    else if (lower === 'set-cookie' || lower === 'vary') response.appendHeader(name, value);
    else response.setHeader(name, value);
    lastName = lower;
  }
}

function pairs(raw: readonly Buffer[]): [string, string][] {
  const result: [string, string][] = [];
  for (let i = 0; i < raw.length; i += 2)
    result.push([(raw[i] as Buffer).toString('latin1'), (raw[i + 1] as Buffer).toString('latin1')]);
  return result;
}
