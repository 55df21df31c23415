import { clientAddress } from '../request/client-address.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { decisionOf, flowOf } from '../request/request-outcome.ts';
import type { OpenRequest, RequestMessage } from './messages.ts';

/** Longest object that is told, in characters: what is longer is left out. */
const longestObject = 256 * 1024;

/** What a request is about, who sent it, and where it went. */
export function subjectOf({
  auditID,
  delegate,
  request,
  requestInfo: { apiGroup, name, namespace, resource, subresource, verb },
  user,
}: ServerRequestContext): Omit<OpenRequest, 'doing' | 'forMs'> {
  return {
    auditID,
    method: request.method ?? '',
    uri: request.url ?? '',
    verb,
    group: apiGroup,
    resource: subresource === '' ? resource : `${resource}/${subresource}`,
    namespace,
    name,
    user: user.name,
    delegate,
  };
}

/** What is told of a request whose answer has ended. `startedMs` is of the machine's monotonic clock. */
export function requestMessage(context: ServerRequestContext, durationMs: number, startedMs: number): RequestMessage {
  const { observation, request, response, user } = context;
  const length = request.headers['content-length'];
  return {
    kind: 'request',
    startedMs,
    durationMs,
    ...subjectOf(context),
    version: context.requestInfo.apiVersion,
    groups: user.groups,
    ...(context.impersonator === undefined ? {} : { impersonator: context.impersonator.name }),
    userAgent: request.headers['user-agent'] ?? '',
    client: clientAddress(context),
    code: response.headersSent ? response.statusCode : 0,
    complete: response.writableFinished,
    ...(context.fault?.id === undefined ? {} : { fault: context.fault.id }),
    queuedMs: context.queuedMs,
    requestBytes: length === undefined ? -1 : Number(length),
    accept: request.headers.accept ?? '',
    contentType: request.headers['content-type'] ?? '',
    ...(observation === undefined
      ? {}
      : {
          observed: {
            credential: observation.credential,
            ...decisionOf(context),
            ...flowOf(context),
            spans: observation.spans,
            changes: observation.changes.filter(({ after, before }) => before.length + after.length <= longestObject),
            ...short('before', observation.before),
            ...short('after', observation.after),
            responseBytes: observation.responseBytes,
            ...(observation.source === undefined ? {} : { source: observation.source }),
          },
        }),
  };
}

function short<Name extends string>(name: Name, text: string | undefined): Partial<Record<Name, string>> {
  if (text === undefined || text.length > longestObject) return {};
  return { [name]: text } as Record<Name, string>;
}
