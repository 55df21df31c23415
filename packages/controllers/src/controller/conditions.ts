import { formatTime } from '@kubechain/apimachinery';

interface Dated {
  readonly type: string;
  readonly status: string;
  lastTransitionTime?: string;
}

/**
 * The conditions with one set, in its place or at the end; its time stays while its status does
 * (meta.SetStatusCondition and its kind).
 */
export function withCondition<T extends Dated>(
  conditions: readonly T[] | undefined,
  condition: Omit<T, 'lastTransitionTime'> & Dated,
  nowMs: number,
): T[] {
  const known = conditions?.find(({ type }) => type === condition.type);
  const sameStatus = known?.status === condition.status;
  const lastTransitionTime = sameStatus ? known.lastTransitionTime : undefined;
  const next = { ...condition, lastTransitionTime: lastTransitionTime ?? formatTime(nowMs) } as unknown as T;
  return known === undefined
    ? [...(conditions ?? []), next]
    : (conditions ?? []).map((other) => (other === known ? next : other));
}
