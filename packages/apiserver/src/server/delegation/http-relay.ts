import type { Dispatcher } from 'undici';
import { Relay } from './relay.ts';

type Controller = Dispatcher.DispatchController;

/** A relay over HTTP, as undici's dispatch handler. */
export class HTTPRelay extends Relay implements Dispatcher.DispatchHandler {
  #controller: Controller | undefined = undefined;

  protected override abort(reason: Error): void {
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Controller): void {
    this.#controller = controller;
    if (this.ended) controller.abort(new Error('the request is over'));
  }

  onResponseStart(controller: Controller, statusCode: number): void {
    const fields = textsOf(controller.rawHeaders as Buffer[]);
    if (statusCode < 200) this.answerInformation(statusCode, fields);
    else if (!this.answerHead(statusCode, fields)) controller.abort(new Error('the response is over'));
  }

  onResponseData(controller: Controller, chunk: Buffer): void {
    if (!this.writable) {
      controller.abort(new Error('the response is over'));
      return;
    }
    if (this.answerPiece(chunk)) return;
    controller.pause();
    this.response.once('drain', () => {
      controller.resume();
    });
  }

  onResponseEnd(controller: Controller): void {
    const trailers = controller.rawTrailers as Buffer[] | null | undefined;
    this.answerEnd(trailers === null || trailers === undefined ? undefined : textsOf(trailers));
  }

  onResponseError(_controller: Controller, error: Error): void {
    this.answerBroken(error);
  }
}

function textsOf(raw: readonly Buffer[]): string[] {
  return raw.map((bytes) => bytes.toString('latin1'));
}
