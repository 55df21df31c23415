import type { IncomingMessage } from 'node:http';
import { step, type Span, type SpanAttributes } from '@kubechain/shared-storage/tracing';
import { clientAddress } from '../request/client-address.ts';
import { scopeOf } from '../metrics/request-scope-label.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';

/** Spans of handlers by verb (handlers/{get,create,update,patch,delete,watch}.go, 1.36). */
const names: ReadonlyMap<string, string> = new Map([
  ['get', 'Get'],
  ['list', 'List'],
  ['watch', 'WatchServer.HandleHTTP'],
  ['create', 'Create'],
  ['update', 'Update'],
  ['patch', 'Patch'],
  ['delete', 'Delete'],
  ['deletecollection', 'Delete'],
]);

/** Runs a verb's handler as a step of its request. */
export function tracedHandler<T>(
  parent: Span,
  context: ServerRequestContext,
  handle: () => T | Promise<T>,
): Promise<T> {
  const { verb } = context.requestInfo;
  return step(parent, names.get(verb) ?? verb, {
    attributes: fieldsOf(context),
    work: (span) => {
      context.span = span;
      return handle();
    },
  });
}

/** The reference's traceFields (handlers/trace_util.go, 1.36). */
function fieldsOf(context: ServerRequestContext): SpanAttributes {
  const { request, requestInfo: info } = context;
  return {
    accept: request.headers.accept ?? '',
    'audit-id': context.auditID,
    client: clientAddress(context).replace(/:\d+$/, ''),
    'api-group': info.apiGroup,
    'api-version': info.apiVersion,
    name: info.name,
    subresource: info.subresource,
    namespace: info.namespace,
    protocol: protocolOf(request),
    resource: info.resource,
    scope: scopeOf(context),
    url: info.path,
    'user-agent': request.headers['user-agent'] ?? '',
    verb: info.verb,
  };
}

/** Go's Request.Proto. */
export function protocolOf({ httpVersion }: IncomingMessage): string {
  return `HTTP/${httpVersion}`;
}
