import type { ResourceClaim } from '@kubechain/apimachinery/types/resource/v1';

/** How long devices may take to be made ready (DynamicResourcesBindingTimeoutDefault, 1.36). */
const mostMs = 600_000;

/** Whether the devices of a claim are ready for a pod. */
export type BindingState =
  | { readonly kind: 'ready' }
  | { readonly kind: 'pending' }
  | { readonly kind: 'failed'; readonly why: string };

/** Whether any device of a claim has to be made ready first. */
export function hasBindingConditions({ status }: ResourceClaim): boolean {
  return (status?.allocation?.devices?.results ?? []).some(
    ({ bindingConditions = [] }) => bindingConditions.length > 0,
  );
}

/** By the conditions that drivers set for its devices (isClaimReadyForBinding, 1.36). */
export function bindingStateOf({ metadata, status }: ResourceClaim): BindingState {
  if (status?.allocation === undefined) return { kind: 'pending' };
  for (const result of status.allocation.devices?.results ?? []) {
    const { bindingConditions = [], bindingFailureConditions = [], device, driver, pool, shareID } = result;
    if (bindingConditions.length === 0) continue;
    const told = status.devices?.find(
      (each) => each.driver === driver && each.pool === pool && each.device === device && each.shareID === shareID,
    );
    const isTrue = (type: string) => told?.conditions?.find((each) => each.type === type && each.status === 'True');
    if (told === undefined) return { kind: 'pending' };
    const failed = bindingFailureConditions.map(isTrue).find((condition) => condition !== undefined);
    if (failed !== undefined) {
      const message = JSON.stringify(failed.message);
      return {
        kind: 'failed',
        why: `claim=${metadata?.name ?? ''}, reason=${failed.reason}, message=${message}`,
      };
    }
    if (!bindingConditions.every((type) => isTrue(type) !== undefined)) return { kind: 'pending' };
  }
  return { kind: 'ready' };
}

/** Whether devices that are not ready have had their time. */
export function isBindingOverdue(claim: ResourceClaim, nowMs: number): boolean {
  const since = Date.parse(claim.status?.allocation?.allocationTimestamp ?? '');
  return hasBindingConditions(claim) && since + mostMs < nowMs;
}
