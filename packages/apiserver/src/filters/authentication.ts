import { StatusError } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthenticatedUser, RequestAuthenticator } from '../authentication/authenticator.ts';
import type { Auditor } from '../audit/auditor.ts';
import { errorToStatus } from '../responses/error-to-status.ts';
import { writeError } from '../responses/write-status.ts';
import { Logger } from '../logging/logger.ts';
import type { AuthenticationMetrics } from '../metrics/authentication-metrics.ts';
import type { FilterDurations } from '../metrics/filter-durations.ts';
import type { Filter, Handler } from '../request/filter.ts';
import { recoverFromPanic } from '../responses/panic-recovery.ts';
import { serverContext } from '../request/server-context.ts';
import { credentialOf } from './credential-of.ts';

const log = new Logger('authentication');

/** What the authentication filter needs. */
export interface AuthenticationFilterOptions {
  /** Includes anonymous access where it is on: undefined for a request means 401. */
  readonly authenticator: RequestAuthenticator;
  readonly metrics?: AuthenticationMetrics;
  /** Told of those that are not handed on. */
  readonly durations?: Pick<FilterDurations, 'unauthenticated'>;
  /** Told of requests that are refused. */
  readonly auditor?: Pick<Auditor, 'unauthenticated'> | undefined;
}

/** Finds the user, or answers 401. Stays synchronous when the authenticator does. */
export function authentication({ auditor, authenticator, durations, metrics }: AuthenticationFilterOptions): Filter {
  function accept(
    request: IncomingMessage,
    response: ServerResponse,
    options: { readonly found: AuthenticatedUser | undefined; readonly startedAt: number; readonly next: Handler },
  ): void {
    const { found, next, startedAt } = options;
    if (found === undefined) {
      refuse(request, response, { startedAt });
      return;
    }
    metrics?.authenticated(found.user.name, performance.now() - startedAt);
    const context = serverContext(request);
    context.user = found.user;
    if (context.observation !== undefined) context.observation.credential = credentialOf(request, found.user);
    // The credential has done its work: nothing below, nor the next process, may see or log it.
    request.headers.authorization = undefined;
    next(request, response);
  }

  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    { error, startedAt }: { readonly error?: unknown; readonly startedAt: number },
  ): void {
    if (error !== undefined)
      log.error('Unable to authenticate the request', error, { auditID: serverContext(request).auditID });
    metrics?.failed(error !== undefined, performance.now() - startedAt);
    durations?.unauthenticated(serverContext(request));
    const unauthorized = new StatusError({
      status: 'Failure',
      message: 'Unauthorized',
      reason: 'Unauthorized',
      code: 401,
    });
    auditor?.unauthenticated(serverContext(request), errorToStatus(unauthorized));
    writeError(request, response, unauthorized);
  }

  return (request, response, next) => {
    const startedAt = performance.now();
    let found: AuthenticatedUser | undefined | Promise<AuthenticatedUser | undefined>;
    try {
      found = authenticator.authenticate(request);
    } catch (error) {
      refuse(request, response, { error, startedAt });
      return;
    }
    if (!(found instanceof Promise)) {
      accept(request, response, { found, startedAt, next });
      return;
    }
    found
      .then(
        (user) => ({ user }),
        (error: unknown) => ({ error }),
      )
      .then((result) => {
        if ('error' in result) refuse(request, response, { error: result.error, startedAt });
        else accept(request, response, { found: result.user, startedAt, next });
      })
      .catch((error: unknown) => {
        recoverFromPanic(request, response, error);
      });
  };
}
