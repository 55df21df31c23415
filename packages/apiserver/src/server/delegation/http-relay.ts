import type { ClientRequest, IncomingMessage } from 'node:http';
import type { HopClient, HopRequest } from './hop-client.ts';
import { Relay } from './relay.ts';

/** A relay over HTTP. */
export class HTTPRelay extends Relay {
  #outgoing: ClientRequest | undefined = undefined;

  /** It gets a socket once that is connected. */
  get sent(): boolean {
    return (this.#outgoing?.socket ?? null) !== null;
  }

  start(client: HopClient, parts: HopRequest): void {
    let outgoing;
    try {
      outgoing = client.request(parts);
    } catch (error) {
      this.fail('unreachable', error instanceof Error ? error : new Error(String(error)));
      return;
    }
    this.#outgoing = outgoing;
    outgoing.on('error', (error) => {
      this.stopBody();
      this.answerBroken(error);
    });
    outgoing.on('information', ({ statusCode, rawHeaders }) => {
      this.answerInformation(statusCode, rawHeaders);
    });
    outgoing.on('response', (answer) => this.#answered(answer));
    if (parts.hasBody) this.sendBody();
    else outgoing.end();
  }

  protected override abort(reason: Error): void {
    this.stopBody();
    this.#outgoing?.destroy(reason);
  }

  #answered(answer: IncomingMessage): void {
    answer.on('error', (error) => this.answerBroken(error));
    if (!this.answerHead(answer.statusCode ?? 0, answer.rawHeaders)) {
      this.abort(new Error('the response is over'));
      return;
    }
    answer.on('data', (piece: Buffer) => {
      if (!this.writable) this.abort(new Error('the response is over'));
      else if (!this.answerPiece(piece)) {
        answer.pause();
        this.response.once('drain', () => answer.resume());
      }
    });
    answer.once('end', () => {
      this.stopBody();
      // An answer that did not want the whole body ends the connection: the rest of it would be taken for a request.
      if (this.#outgoing?.writableEnded === false) this.#outgoing.destroy();
      this.answerEnd(answer.rawTrailers);
    });
  }

  protected override sendPiece(piece: Buffer): void {
    if (this.#outgoing?.write(piece) !== false) return;
    this.request.pause();
    this.#outgoing.once('drain', () => this.request.resume());
  }

  protected override sendEnd(): void {
    this.#outgoing?.end();
  }
}
