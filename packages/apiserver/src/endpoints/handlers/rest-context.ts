import type { RequestContext } from '../../request/request-context.ts';
import type { RESTContext } from '../../registry/rest/storage.ts';

/** The context of storage calls of one request. */
export class RequestRESTContext implements RESTContext {
  readonly namespace: string;
  readonly request: RequestContext;

  constructor(request: RequestContext, namespace: string = request.requestInfo.namespace) {
    this.request = request;
    this.namespace = namespace;
  }
}
