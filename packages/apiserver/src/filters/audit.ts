import { authorizationAttributes } from '../authorization/attributes.ts';
import { annotateDecision } from './authorization.ts';
import type { Filter } from '../request/filter.ts';
import { serverContext } from '../request/server-context.ts';
import type { Auditor } from '../audit/auditor.ts';

/** Decides what is recorded of the request; the events are written when it is answered. */
export function auditFilter(auditor: Auditor): Filter {
  return (request, response, next) => {
    const context = serverContext(request);
    const asked = authorizationAttributes(context);
    // Behind another process the user may be impersonated already; policies speak of who authenticated.
    const attributes = context.impersonator === undefined ? asked : { ...asked, user: context.impersonator };
    context.auditRecord = auditor.begin(attributes);
    if (context.arrivalRecorded && context.auditRecord !== undefined) context.auditRecord.received = true;
    auditor.holdAnswer(context);
    // The process in front has authorized the request.
    if (context.forwardedDecision !== undefined)
      annotateDecision(context, { decision: 'Allow', reason: context.forwardedDecision });
    next(request, response);
  };
}
