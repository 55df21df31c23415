import type { ObservedDecision } from './request-observation.ts';
import type { ServerRequestContext } from './server-request-context.ts';

/** Who allowed or refused a request, and why, for those who tell of it; nothing where nobody was asked. */
export function decisionOf({ decision }: Pick<ServerRequestContext, 'decision'>): {
  readonly decision?: ObservedDecision;
} {
  return decision === undefined ? {} : { decision: { decision: decision.decision, reason: decision.reason } };
}

/** What flow control made of a request, for those who tell of it; '' where it was not asked. */
export function flowOf({ classification }: Pick<ServerRequestContext, 'classification'>): {
  readonly flowSchema: string;
  readonly priorityLevel: string;
} {
  return { flowSchema: classification?.name ?? '', priorityLevel: classification?.level?.name ?? '' };
}
