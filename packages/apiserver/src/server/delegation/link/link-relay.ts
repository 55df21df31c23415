import type { IncomingMessage, ServerResponse } from 'node:http';
import { cutResponse } from '../../../responses/cut-response.ts';
import { Relay, type RelayOptions } from '../relay.ts';
import type { ClientLink, LinkAnswer, LinkRequestParts } from './client-link.ts';
import { windowBytes } from './frames.ts';
import type { PieceRun } from './piece-run.ts';
import { writeRun } from './write-run.ts';

/** Credit is given in pieces of this size: one frame for many pieces of a body. */
const creditBytes = windowBytes / 4;

/** A relay over a link. */
export class LinkRelay extends Relay implements LinkAnswer {
  readonly id: number;
  lastTurn = 0;
  lastPlace = 0;
  run: PieceRun | undefined = undefined;
  readonly #link: ClientLink;
  /** Bytes of the request's body that may go out; below zero after a piece that was larger. */
  #credit = windowBytes;
  /** Bytes of the answer's body that have come and were not paid back in credit. */
  #uncredited = 0;
  /** The client takes no more for now. */
  #full = false;
  #sent = false;

  constructor(
    request: IncomingMessage,
    response: ServerResponse,
    options: RelayOptions & { readonly link: ClientLink },
  ) {
    super(request, response, options);
    this.#link = options.link;
    this.id = options.link.nextID();
  }

  start(parts: LinkRequestParts): void {
    // No parser of HTTP lets such a field through.
    this.#sent = this.#link.request(this, parts);
    if (!this.#sent) this.fail('unreachable', new Error('a header with a line feed'));
    else if (parts.hasBody) this.sendBody();
  }

  get sent(): boolean {
    return this.#sent;
  }

  head(status: number, fields: readonly string[]): void {
    if (!this.answerHead(status, fields)) this.abort();
  }

  information(status: number, fields: readonly string[]): void {
    this.answerInformation(status, fields);
  }

  body(piece: Buffer, used?: () => void): void {
    if (!this.writable) {
      used?.();
      this.abort();
      return;
    }
    this.#uncredited += piece.length;
    this.#answered(this.answerPiece(piece, used));
  }

  pieces(run: PieceRun): void {
    if (!this.writable) {
      this.abort();
      return;
    }
    this.#uncredited += run.length;
    this.#answered(this.answerRun(run));
  }

  end(trailers: readonly string[] | undefined, last?: Buffer, used?: () => void): void {
    this.stopBody();
    if (this.writable) this.answerEnd(trailers, last, used);
    else used?.();
  }

  credited(bytes: number): void {
    const blocked = this.#credit <= 0;
    this.#credit += bytes;
    if (blocked && this.#credit > 0 && this.sendingBody) this.request.resume();
  }

  broken(error: Error): void {
    this.stopBody();
    this.answerBroken(error);
  }

  failed(error: unknown): void {
    try {
      this.broken(error instanceof Error ? error : new Error(String(error)));
    } finally {
      if (!this.response.writableEnded) cutResponse(this.response);
    }
  }

  /** As `answerPiece`, of several. */
  protected answerRun(run: PieceRun): boolean {
    this.lastByteEndsLine(run.endsLine);
    return writeRun(this.response, run);
  }

  protected override abort(): void {
    this.stopBody();
    this.#link.reset(this);
  }

  /** Bytes were written; `more` when the client takes more. */
  #answered(more: boolean): void {
    if (more) {
      if (!this.#full) this.#giveCredit();
      return;
    }
    if (this.#full) return;
    this.#full = true;
    this.response.once('drain', () => {
      this.#full = false;
      this.#giveCredit();
    });
  }

  #giveCredit(): void {
    if (this.#uncredited < creditBytes || this.ended) return;
    this.#link.credit(this, this.#uncredited);
    this.#uncredited = 0;
  }

  protected override sendPiece(piece: Buffer): void {
    this.#link.body(this, piece);
    this.#credit -= piece.length;
    if (this.#credit <= 0) this.request.pause();
  }

  protected override sendEnd(): void {
    this.#link.bodyEnd(this);
  }
}
