import { badRequest } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { OutputMediaType } from '../../negotiation/negotiate.ts';
import { negotiateOutput } from '../../negotiation/negotiate.ts';
import { checkRouteAccept } from '../../negotiation/route-accept.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { serverContext } from '../../request/server-context.ts';
import type { RequestScope } from './request-scope.ts';

/** One request on its way through a handler. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly context: RequestContext;
}

/**
 * The name in the URL.
 * @throws StatusError BadRequest when there is none
 */
export function requiredName(context: RequestContext): string {
  const { name } = context.requestInfo;
  if (name === '') throw badRequest('name must be provided');
  return name;
}

/**
 * The representation of the answer; also gives the answer the warning of a deprecated API, as every one of them has it.
 * @throws StatusError 406
 */
export function negotiateAnswer(
  scope: RequestScope,
  request: IncomingMessage,
  context: RequestContext,
): OutputMediaType {
  beginAnswer(scope, request, context);
  return negotiateOutput(request.headers.accept, scope.offer);
}

/** What the router of the reference does before a handler runs. @throws StatusError 406 */
export function beginAnswer(
  scope: RequestScope,
  request: IncomingMessage,
  context: RequestContext,
  produces: readonly string[] | undefined = scope.produces,
): void {
  if (produces !== undefined) checkRouteAccept(request.headers.accept, produces);
  context.answersCBOR = scope.cbor;
  if (scope.deprecationWarning === undefined) return;
  context.addWarning(scope.deprecationWarning);
  const own = serverContext(request);
  own.metrics?.deprecated(own, /unavailable in v(\d+\.\d+)\+/.exec(scope.deprecationWarning)?.[1] ?? '');
}
