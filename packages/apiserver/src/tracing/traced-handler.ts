import type { IncomingMessage } from 'node:http';
import { step, withSpan, type Span, type SpanAttributes } from '@kubechain/shared-storage/tracing';
import { clientAddress } from '../request/client-address.ts';
import { scopeOf } from '../metrics/request-scope-label.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';

/** Spans of handlers by verb (handlers/{get,create,update,patch,delete,watch}.go, 1.36). */
const names: ReadonlyMap<string, string> = new Map([
  ['get', 'Get'],
  ['list', 'List'],
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
  if (verb === 'watch') return tracedWatch(parent, context, handle);
  return step(parent, names.get(verb) ?? verb, {
    attributes: fieldsOf(context),
    work: (span) => {
      context.span = span;
      return handle();
    },
  });
}

/**
 * A watch's steps last longer than its handler, which begins and ends that of serving it; that of the initial events
 * is around it and ends after them.
 */
async function tracedWatch<T>(parent: Span, context: ServerRequestContext, handle: () => T | Promise<T>): Promise<T> {
  const span = isWatchList(context.query) ? parent.child('WatchList', { attributes: fieldsOf(context) }) : parent;
  context.span = span;
  try {
    return await withSpan(span, handle);
  } catch (error) {
    if (span !== parent) span.end(error);
    throw error;
  }
}

/** Whether a watch begins with what there is and says when that is over (handlers/get.go isListWatchRequest, 1.36). */
function isWatchList(query: URLSearchParams): boolean {
  const isTrue = (name: string): boolean => !['', '0', 'false'].includes(query.get(name)?.toLowerCase() ?? '');
  if (!isTrue('allowWatchBookmarks')) return false;
  if ((query.get('sendInitialEvents') ?? '') !== '') return isTrue('sendInitialEvents');
  return (query.get('resourceVersionMatch') ?? '') === '' && ['', '0'].includes(query.get('resourceVersion') ?? '');
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
