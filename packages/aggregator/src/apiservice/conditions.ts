import type { APIService, APIServiceCondition } from './api-service.ts';

/** The condition that says whether an APIService's group version is served. */
export const availableType = 'Available';

export function isAvailable(service: APIService): boolean {
  return service.status?.conditions?.some(({ type, status }) => type === availableType && status === 'True') === true;
}

/** What a check found. */
export interface Availability {
  readonly status: APIServiceCondition['status'];
  readonly reason: string;
  readonly message: string;
}

/** For APIServices without a service. */
export const localAvailability: Availability = {
  status: 'True',
  reason: 'Local',
  message: 'Local APIServices are always available',
};

/**
 * The conditions with what was found, or undefined when they say that already. The time of the transition changes only
 * with the status (apiregistration/v1/helper SetAPIServiceCondition).
 */
export function withAvailability(
  conditions: readonly APIServiceCondition[],
  found: Availability,
  now: string,
): APIServiceCondition[] | undefined {
  const at = conditions.findIndex(({ type }) => type === availableType);
  const before = conditions[at];
  if (before === undefined)
    return [
      ...conditions,
      {
        type: availableType,
        status: found.status,
        lastTransitionTime: now,
        reason: found.reason,
        message: found.message,
      },
    ];
  if (before.status === found.status && before.reason === found.reason && before.message === found.message)
    return undefined;
  const lastTransitionTime = before.status === found.status ? (before.lastTransitionTime ?? now) : now;
  return conditions.with(at, {
    type: availableType,
    status: found.status,
    lastTransitionTime,
    reason: found.reason,
    message: found.message,
  });
}
