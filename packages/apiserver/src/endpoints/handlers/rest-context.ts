import type { RequestContext } from '../../request/request-context.ts';
import type { Turns } from '../../request/turns.ts';
import type { RESTContext } from '../../registry/rest/storage.ts';

/** The context of storage calls of one request. */
export class RequestRESTContext implements RESTContext {
  readonly namespace: string;
  readonly request: RequestContext;
  readonly turns?: Turns;

  constructor(request: RequestContext, turns?: Turns) {
    this.request = request;
    this.namespace = request.requestInfo.namespace;
    if (turns !== undefined) this.turns = turns;
  }
}
