import { goQuote } from '@kubechain/apimachinery';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from '../authorization/authorizer.ts';
import { authorizationAttributes } from '../authorization/attributes.ts';
import { forbiddenError } from '../authorization/forbidden.ts';
import type { ServerRequestContext } from '../request/server-request-context.ts';
import { writeError } from '../responses/write-status.ts';
import { writeTextError } from '../responses/write-text.ts';
import { Logger } from '../logging/logger.ts';
import type { Filter, Handler } from '../request/filter.ts';
import { recoverFromPanic } from '../responses/panic-recovery.ts';
import type { AuthorizationMetrics, AuthorizationOutcome } from '../metrics/authorization-metrics.ts';
import { serverContext } from '../request/server-context.ts';

const log = new Logger('authorization');

/** Lets a request through when the authorizer allows it; 403 otherwise. Synchronous when the authorizer is. */
export function authorization(authorizer: Authorizer, metrics?: AuthorizationMetrics): Filter {
  return (request, response, next) => {
    const startedAt = performance.now();
    const context = serverContext(request);
    const attributes = authorizationAttributes(context);
    const result = authorizer.authorize(attributes);
    if (result instanceof Promise) {
      result
        .then(
          (decided) => {
            metrics?.decided(outcomeOf(decided), performance.now() - startedAt);
            decide(request, response, { attributes, result: decided, next });
          },
          (error: unknown) => {
            metrics?.decided('error', performance.now() - startedAt);
            log.error('Authorization error', error, { auditID: context.auditID });
            writeTextError(response, 500, 'Internal Server Error');
          },
        )
        .catch((error: unknown) => {
          recoverFromPanic(request, response, error);
        });
    } else {
      metrics?.decided(outcomeOf(result), performance.now() - startedAt);
      decide(request, response, { attributes, result, next });
    }
  };
}

function outcomeOf({ decision, error }: AuthorizationResult): AuthorizationOutcome {
  if (decision === 'Allow') return 'allowed';
  if (error !== undefined) return 'error';
  return decision === 'Deny' ? 'denied' : 'no-opinion';
}

/** What events say of the decision. Source: endpoints/filters/authorization.go, 1.36. */
export function annotateDecision(
  context: ServerRequestContext,
  { decision, reason }: Pick<AuthorizationResult, 'decision' | 'reason'>,
): void {
  if (context.auditRecord === undefined) return;
  context.addAuditAnnotation('authorization.k8s.io/decision', decision === 'Allow' ? 'allow' : 'forbid');
  context.addAuditAnnotation(decisionReason, reason);
}

/** The annotation with the reason, which goes along to the process that answers. */
export const decisionReason = 'authorization.k8s.io/reason';

function decide(
  request: IncomingMessage,
  response: ServerResponse,
  options: {
    readonly attributes: AuthorizationAttributes;
    readonly result: AuthorizationResult;
    readonly next: Handler;
  },
): void {
  const { attributes, result, next } = options;
  const context = serverContext(request);
  context.decision = result;
  annotateDecision(context, result);
  if (result.decision === 'Allow') {
    next(request, response);
    return;
  }
  if (result.error !== undefined) {
    // Nobody has said yes, and somebody could not say anything.
    log.error('Authorization error', result.error, { auditID: serverContext(request).auditID });
    const { path } = attributes;
    writeTextError(response, 500, `Internal Server Error: ${goQuote(request.url ?? path)}: ${result.error.message}`);
    return;
  }
  if (log.enabled(4))
    log.info('Forbidden', { URI: request.url, auditID: serverContext(request).auditID, reason: result.reason }, 4);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  writeError(request, response, forbiddenError(attributes, result.reason));
}
