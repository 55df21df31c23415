import type { Span } from '@kubechain/shared-storage/tracing';
import type { IncomingMessage } from 'node:http';
import { decisionReason } from '../../filters/authorization.ts';
import { outgoingTrace } from '../../request/caller-trace.ts';
import { clientAddress, clientAddressHeader } from '../../request/client-address.ts';
import type { ServerRequestContext } from '../../request/server-request-context.ts';
import { stampFault } from './forwarded-faults.ts';
import { forwardedHeaders, stampIdentity, type ForwardedIdentity } from './identity-headers.ts';

/** What goes to the target in front of a request, as names and values in turn. */
export interface StampedHeaders {
  /** What a client's requests have in common: most of its headers, and who it is. */
  readonly common: readonly string[];
  /** What is of this request alone. */
  readonly own: string[];
}

/** The client's headers without what could speak for a user, and what this process says. */
export function stampedHeaders(
  request: IncomingMessage,
  context: ServerRequestContext,
  span: Span | undefined,
): StampedHeaders {
  const traced = span !== undefined && span.passed !== true;
  const { common, own } = forwardedHeaders(request, traced);
  if (traced) {
    own.push('Traceparent', span.traceparent, 'X-Kubechain-Traced', '1');
    const { Tracestate } = outgoingTrace(context.trace, span);
    if (Tracestate !== undefined) own.push('Tracestate', Tracestate);
  }
  stampIdentity(common, identityOf(context));
  own.push('Audit-ID', context.auditID);
  const client = clientAddress(context);
  if (client !== '') own.push(clientAddressHeader, client);
  // Processes on sockets have no address: the first of the chain has told where the request came from.
  const peer = request.socket?.remoteAddress ?? '';
  if (peer !== '') common.push('X-Forwarded-For', peer);
  if (context.timingWanted) own.push('X-Kubechain-Server-Timing', '1');
  if (context.observation !== undefined) own.push('X-Kubechain-Observe', context.observation.deep ? 'deep' : 'times');
  if (context.auditRecord?.received === true) own.push('X-Kubechain-Recorded', '1');
  // Who answers records the request, and what was decided about it here.
  const reason = context.auditAnnotations?.get(decisionReason);
  if (reason !== undefined) common.push('X-Kubechain-Decision', Buffer.from(reason).toString('base64'));
  return { common, own };
}

/** The same, with the fault that the request is to meet behind the hop. */
export function stampedWithFault(...[request, context, span]: Parameters<typeof stampedHeaders>): StampedHeaders {
  const headers = stampedHeaders(request, context, span);
  stampFault(context, headers.own);
  return headers;
}

function identityOf(context: ServerRequestContext): ForwardedIdentity {
  const { impersonationConstraint, impersonator, user } = context;
  if (impersonator === undefined) return { user };
  return impersonationConstraint === undefined
    ? { user, impersonator }
    : { user, impersonator, impersonationConstraint };
}
