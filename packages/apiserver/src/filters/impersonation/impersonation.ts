import { writeError } from '../../responses/write-status.ts';
import { authorizationAttributes } from '../../authorization/attributes.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { Filter } from '../../request/filter.ts';
import { recoverFromPanic } from '../../responses/panic-recovery.ts';
import { serverContext } from '../../request/server-context.ts';
import { takeImpersonationHeaders, type WantedUser } from './impersonation-headers.ts';
import { ImpersonationModes } from './impersonation-modes.ts';

/**
 * Lets a requester act as somebody else where that is allowed (endpoints/filters/impersonation). Requests without
 * Impersonate-* headers pass at once.
 */
export function impersonation(authorizer: Authorizer): Filter {
  const modes = new ImpersonationModes(authorizer);
  return (request, response, next) => {
    const context = serverContext(request);
    let wanted: WantedUser | undefined;
    try {
      wanted = takeImpersonationHeaders(request);
    } catch (error) {
      response.setHeader('X-Content-Type-Options', 'nosniff');
      writeError(request, response, error);
      return;
    }
    if (wanted === undefined) {
      next(request, response);
      return;
    }
    modes
      .impersonate(wanted, authorizationAttributes(context))
      .then(
        (allowed) => ({ allowed }),
        (error: unknown) => ({ error }),
      )
      .then((result) => {
        if ('error' in result) {
          response.setHeader('X-Content-Type-Options', 'nosniff');
          writeError(request, response, result.error);
          return;
        }
        context.impersonator = context.user;
        context.user = result.allowed.user;
        context.impersonationConstraint = result.allowed.constraint;
        next(request, response);
      })
      .catch((error: unknown) => {
        recoverFromPanic(request, response, error);
      });
  };
}
