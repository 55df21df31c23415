import { FieldPath, invalidValue, validateConditions } from '@kubechain/apimachinery';
import type { Condition, FieldError, ReleaseAge } from '@kubechain/apimachinery';
import type { Eviction } from '../lifecycle-types.ts';
import { validateResponders } from './responder-status.ts';
import { validateTargetResponders } from './target-responders.ts';

const path = FieldPath.of('status');
/** Conditions that stay once they are true. */
const final = ['TargetEvicted', 'Failed'];

/**
 * What is wrong with the status of an eviction besides what its types declare: conditions that end it stay, responders
 * have their turns in order, and each tells of its own part (pkg/apis/lifecycle/validation, 1.37).
 */
export function validateEvictionStatus(
  { status = {} }: Eviction,
  old: Eviction | undefined,
  { nowMs, release }: { readonly nowMs: number; readonly release: ReleaseAge },
): FieldError[] {
  const before = old?.status ?? {};
  const conditions = status.conditions ?? [];
  const conditionsPath = path.child('conditions');
  const find = (list: readonly Condition[], wanted: string): Condition | undefined =>
    list.find(({ type }) => type === wanted);
  const ended = new Set(final.filter((type) => find(conditions, type)?.status === 'True'));
  const reverted = (before.conditions ?? []).flatMap(({ reason, status: was, type = '' }) => {
    if (!final.includes(type) || was !== 'True') return [];
    const now = find(conditions, type);
    if (now !== undefined && now.status !== 'False' && now.reason === reason) return [];
    ended.add(type);
    return [invalidValue(conditionsPath, conditions, `${type} condition status cannot be reverted`)];
  });
  return [
    ...validateConditions(conditions, conditionsPath, release),
    ...reverted,
    ...validateTargetResponders(status, before, { path: path.child('targetResponders'), nowMs, ended: ended.size > 0 }),
    ...validateResponders(status, before, { path: path.child('responders'), nowMs }),
  ];
}
