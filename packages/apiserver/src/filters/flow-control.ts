import type { FlowTicket, ServerRequestContext } from '../endpoints/server-request-context.ts';
import { writeTextError } from '../endpoints/responses/write-text.ts';
import type { Filter } from './filter.ts';
import { recoverFromPanic } from './panic-recovery.ts';
import { serverContext } from './server-context.ts';

/** A place for one request, and what classified it (sent as headers). */
export interface FlowDecision {
  readonly ticket: FlowTicket;
  /** UIDs of the FlowSchema and PriorityLevelConfiguration objects, where there are such. */
  readonly flowSchemaUID?: string;
  readonly priorityLevelUID?: string;
}

/**
 * Decides which requests run now. May keep a request waiting (a promise); undefined means it is refused with 429.
 * The ticket is given back exactly once, when the response closes.
 */
export interface FlowController {
  admit(context: ServerRequestContext): FlowDecision | undefined | Promise<FlowDecision | undefined>;
}

/** Asks the flow controller for a place (server/filters/priority-and-fairness.go); long-running requests are its business too. */
export function flowControl(controller: FlowController): Filter {
  return (request, response, next) => {
    const context = serverContext(request);
    const decision = controller.admit(context);
    if (decision instanceof Promise) {
      decision.then((decided) => {
        if (apply(context, decided)) next(request, response);
      }).catch((error: unknown) => { recoverFromPanic(request, response, error); });
    } else if (apply(context, decision)) {
      next(request, response);
    }
  };
}

function apply(context: ServerRequestContext, decision: FlowDecision | undefined): boolean {
  const { response } = context;
  if (decision === undefined) {
    response.setHeader('Retry-After', '1');
    writeTextError(response, 429, 'Too many requests, please try again later.');
    return false;
  }
  // The client may have left while the request was queued: then nobody will give the ticket back but us.
  if (response.destroyed || response.writableEnded) {
    decision.ticket.release();
    return false;
  }
  context.flowTicket = decision.ticket;
  if (decision.flowSchemaUID !== undefined) response.setHeader('X-Kubernetes-Pf-Flowschema-Uid', decision.flowSchemaUID);
  if (decision.priorityLevelUID !== undefined) response.setHeader('X-Kubernetes-Pf-Prioritylevel-Uid', decision.priorityLevelUID);
  return true;
}
