import { StatusError } from '@kubechain/apimachinery';
import { writeError } from '../../responses/write-status.ts';
import { readIdentity } from './identity-headers.ts';
import { LinkRequest } from './link/link-request.ts';
import type { Filter } from '../../request/filter.ts';
import { serverContext } from '../../request/server-context.ts';
import { reportTimings } from '../../filters/server-timing.ts';

/**
 * Authentication on a delegate listener: believes what the process in front says about the user. Nothing else can
 * connect there (socket mode 0600, or a verified front-proxy certificate).
 */
export const delegatedAuthentication =
  (server: string): Filter =>
  (request, response, next) => {
    const identity = request instanceof LinkRequest ? request.forwardedIdentity : readIdentity(request);
    if (identity === undefined) {
      writeError(
        request,
        response,
        new StatusError({ status: 'Failure', message: 'Unauthorized', reason: 'Unauthorized', code: 401 }),
      );
      return;
    }
    const context = serverContext(request);
    context.user = identity.user;
    context.impersonator = identity.impersonator;
    context.impersonationConstraint = identity.impersonationConstraint;
    const client = request.headers['x-kubechain-client'];
    if (typeof client === 'string') context.forwardedClient = client;
    const decision = request.headers['x-kubechain-decision'];
    if (typeof decision === 'string') context.forwardedDecision = Buffer.from(decision, 'base64').toString();
    context.arrivalRecorded = request.headers['x-kubechain-recorded'] !== undefined;
    // The process in front has checked that the caller may see timings; clients cannot send this header past it.
    if (request.headers['x-kubechain-server-timing'] !== undefined) reportTimings(context, server);
    next(request, response);
  };
