import type { FlowTicket, ServerRequestContext } from '../request/server-request-context.ts';
import { writeTextError } from '../responses/write-text.ts';
import type { Filter } from '../request/filter.ts';
import { recoverFromPanic } from '../responses/panic-recovery.ts';
import { serverContext } from '../request/server-context.ts';

/**
 * What classified a request: UIDs of its FlowSchema and PriorityLevelConfiguration objects, '' for those that are not
 * stored. Sent as headers.
 */
export interface FlowClassification {
  readonly flowSchemaUID: string;
  readonly priorityLevelUID: string;
  /** Names of both, for those who look at requests. */
  readonly name?: string;
  readonly level?: { readonly name: string };
}

/** A place for one request, or none. */
export type FlowDecision =
  | { readonly kind: 'run'; readonly ticket: FlowTicket; readonly classification?: FlowClassification }
  | { readonly kind: 'refuse'; readonly retryAfterSeconds: number; readonly classification?: FlowClassification };

/**
 * Decides which requests run now. May keep a request waiting (a promise): its ticket is in the context by then, so that
 * it leaves its queue when its response closes. A ticket is given back when the response closes, once.
 */
export interface FlowController {
  admit(context: ServerRequestContext): FlowDecision | Promise<FlowDecision>;
}

/**
 * Asks the flow controller for a place (server/filters/priority-and-fairness.go, 1.36); long-running requests are its
 * business too.
 */
export function flowControl(controller: FlowController): Filter {
  return (request, response, next) => {
    const context = serverContext(request);
    if (context.ended) return;
    const decision = controller.admit(context);
    if (decision instanceof Promise) {
      decision
        .then((decided) => {
          if (apply(context, decided)) next(request, response);
        })
        .catch((error: unknown) => {
          recoverFromPanic(request, response, error);
        });
    } else if (apply(context, decision)) {
      next(request, response);
    }
  };
}

function apply(context: ServerRequestContext, decision: FlowDecision): boolean {
  const { response } = context;
  // Held before anything else is done with it. The client may have left while the request was queued.
  if (decision.kind === 'run' && !context.hold(decision.ticket)) return false;
  if (context.ended || response.writableEnded) return false;
  const { classification } = decision;
  if (classification !== undefined) {
    context.classification = classification;
    response.setHeader('X-Kubernetes-Pf-Flowschema-Uid', classification.flowSchemaUID);
    response.setHeader('X-Kubernetes-Pf-Prioritylevel-Uid', classification.priorityLevelUID);
  }
  if (decision.kind === 'run') return true;
  context.metrics?.dropped(context);
  response.setHeader('Retry-After', String(decision.retryAfterSeconds));
  writeTextError(response, 429, 'Too many requests, please try again later.');
  return false;
}
