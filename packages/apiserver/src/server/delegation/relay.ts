import type { IncomingMessage, ServerResponse } from 'node:http';
import { isCut } from '../../endpoints/handlers/read-body.ts';
import { findRequestContext } from '../../request/request-context.ts';
import { endPhase } from '../../request/timed.ts';
import { isSendableStatus } from '../../responses/sendable-status.ts';
import { cutResponse } from '../../responses/cut-response.ts';
import { hopByHop } from './hop-by-hop.ts';
import type { ExchangeTermination } from '../../metrics/exchange-terminations.ts';

/** Told when a relay is over, so that the delegate's bookkeeping needs no closures. */
export interface RelayOwner {
  relayStarted(relay: Relay): void;
  /** Once for each, before anything is answered for a target that did not. */
  relayEnded(relay: Relay, reason: ExchangeTermination): void;
  /** Answers for a target that did not. */
  relayFailed(relay: Relay, error: Error): void;
}

/** Whose request a relay answers. */
export interface RelayOptions {
  readonly owner: RelayOwner;
  /** A long answer: a watch, a log that is followed. */
  readonly streaming: boolean;
  /** The request's body, where it has been read already. */
  readonly body?: Buffer | undefined;
}

const newline = 0x0a;

/**
 * Carries one response back from the next process: headers at once, body piece by piece with back-pressure, trailers,
 * and aborts in both directions. What it comes over is a subclass's: HTTP, or a link.
 *
 *     target ──piece──▶ response.write ──false──▶ (the subclass holds the target back)
 *                              drain ─────────▶ (and lets it go on)
 *     client closes ──▶ abort        target dies ──▶ owner.relayFailed, or the response is cut
 */
export abstract class Relay {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** performance.now() at dispatch; the owner probes a target that lets a relay wait long for headers. */
  readonly startedAt: number;
  readonly streaming: boolean;
  readonly #owner: RelayOwner;
  #readBody: Buffer | undefined;
  #headersSeen = false;
  #ended = false;
  #sendingBody = false;
  /** The last byte of the answer so far ends a line, as each event of a watch does; so does an empty answer. */
  #betweenLines = true;

  constructor(request: IncomingMessage, response: ServerResponse, { body, owner, streaming }: RelayOptions) {
    this.streaming = streaming;
    this.#readBody = body;
    this.request = request;
    this.response = response;
    this.#owner = owner;
    this.startedAt = performance.now();
    response.once('close', () => {
      this.#clientClosed();
    });
  }

  /** The target may have the request, or part of it. */
  abstract get sent(): boolean;

  get waitingForHeaders(): boolean {
    return !this.#headersSeen && !this.#ended;
  }

  /** Gives up on a target that cannot be asked, or does not answer. */
  fail(kind: 'unreachable' | 'unresponsive', error: Error): void {
    if (this.#ended) return;
    this.#end({ kind, error });
    this.abort(error);
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
    this.abort(reason);
    if (!this.response.headersSent) this.#owner.relayFailed(this, reason);
    else if (this.#betweenLines) this.response.end();
    else cutResponse(this.response);
  }

  /** Tells the target that nobody waits for its answer. Idempotent. */
  protected abstract abort(reason: Error): void;

  /** Sends a piece of the request's body to the target; holds the request back while the target takes no more. */
  protected abstract sendPiece(piece: Buffer): void;

  /** The target has got the whole body. */
  protected abstract sendEnd(): void;

  /** Begins to send the request's body. */
  protected sendBody(): void {
    if (this.#readBody !== undefined) {
      // It is there in any case: the target may as well have it at once.
      if (this.#readBody.length > 0) this.sendPiece(this.#readBody);
      this.#readBody = undefined;
      this.sendEnd();
      return;
    }
    this.#sendingBody = true;
    this.request.on('data', this.#onBody);
    this.request.once('end', this.#onBodyEnd);
  }

  protected get sendingBody(): boolean {
    return this.#sendingBody;
  }

  /** What is left of the body is its connection's to see to. Idempotent. */
  protected stopBody(): void {
    if (!this.#sendingBody) return;
    this.#sendingBody = false;
    this.request.off('data', this.#onBody);
    this.request.off('end', this.#onBodyEnd);
  }

  readonly #onBody = (piece: Buffer): void => this.sendPiece(piece);
  readonly #onBodyEnd = (): void => {
    this.stopBody();
    // Half a body is none: the response closes, and with it the request to the target is aborted.
    if (!isCut(this.request)) this.sendEnd();
  };

  protected get ended(): boolean {
    return this.#ended;
  }

  /** An answer other than the last (1xx), as names and values in turn. */
  protected answerInformation(statusCode: number, fields: readonly string[]): void {
    if (this.#ended || this.response.headersSent || statusCode !== 103) return;
    const hints: Record<string, string | string[]> = {};
    for (let i = 0; i < fields.length; i += 2) hints[(fields[i] as string).toLowerCase()] = fields[i + 1] as string;
    if (hints['link'] !== undefined) this.response.writeEarlyHints(hints);
  }

  /** The answer's head, as names and values in turn. False when nobody waits for it any more. */
  protected answerHead(statusCode: number, fields: readonly string[]): boolean {
    const { response } = this;
    if (this.#ended || response.headersSent) return false;
    this.#headersSeen = true;
    if (!isSendableStatus(statusCode, this.request)) {
      this.answerBroken(new Error(`it has answered with ${statusCode}, which is no status that can be handed on`));
      return false;
    }
    // Requests of tenants have one in the process that they go to.
    const context = findRequestContext(this.request);
    if (context !== undefined) endPhase(context, 'hop', this.startedAt);
    copyHeaders(fields, response);
    // Bodies of HEAD, 204 and 304 never come; Node knows that from status and method.
    response.writeHead(statusCode);
    // Watches must reach the client before their first event; other headers leave in one system call with the first
    // bytes of the body.
    if (this.streaming) {
      response.flushHeaders();
      context?.watchInitialized?.();
    }
    return true;
  }

  /** Whether the client can still be written to. */
  protected get writable(): boolean {
    return !this.response.destroyed && !this.response.writableEnded;
  }

  /** A piece of the body; false while the client takes no more, until `drain` of the response. */
  protected answerPiece(piece: Buffer, used?: () => void): boolean {
    if (this.streaming && piece.length > 0) this.lastByteEndsLine(piece[piece.length - 1] === newline);
    return this.response.write(piece, used as (() => void) | undefined);
  }

  /** Told of each piece of a stream: whether a line ends with it. */
  protected lastByteEndsLine(endsLine: boolean): void {
    this.#betweenLines = endsLine;
  }

  /** The answer is whole. */
  protected answerEnd(trailers?: readonly string[], last?: Buffer, used?: () => void): void {
    if (this.#ended) {
      used?.();
      return;
    }
    this.#end({ kind: 'completed' });
    const { response } = this;
    if (trailers !== undefined && trailers.length > 0) response.addTrailers(pairs(trailers));
    if (last === undefined) response.end();
    else {
      if (used === undefined) response.end(last);
      else {
        response.write(last, used);
        response.end();
      }
    }
  }

  /** The target has given up, or cannot be reached any more. */
  protected answerBroken(error: Error): void {
    if (this.#ended) return;
    this.#end({ kind: this.response.headersSent ? 'broken' : 'unreachable', error });
    // Half an answer must not look whole: the client sees a broken stream and asks again.
    if (this.response.headersSent) cutResponse(this.response);
    else this.#owner.relayFailed(this, error);
  }

  #clientClosed(): void {
    if (this.#ended) return;
    this.#end({ kind: 'client_left' });
    this.abort(new Error('the client went away'));
  }

  #end(reason: ExchangeTermination): void {
    this.#ended = true;
    this.#owner.relayEnded(this, reason);
  }
}

/**
 * Sets the target's headers over what the filters have set; Warning and Server-Timing are joined, because both
 * processes may have some.
 */
function copyHeaders(fields: readonly string[], response: ServerResponse): void {
  let lastName = '';
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i] as string;
    const value = fields[i + 1] as string;
    const lower = name.toLowerCase();
    if (hopByHop.has(lower)) continue;
    if (lower === lastName || lower === 'warning' || lower === 'server-timing') response.appendHeader(name, value);
    else if (lower === 'set-cookie' || lower === 'vary') response.appendHeader(name, value);
    else response.setHeader(name, value);
    lastName = lower;
  }
}

function pairs(fields: readonly string[]): [string, string][] {
  const result: [string, string][] = [];
  for (let i = 0; i < fields.length; i += 2) result.push([fields[i] as string, fields[i + 1] as string]);
  return result;
}
