import type { DeviceTaint, DeviceToleration } from '@kubechain/apimachinery/types/resource/v1';

/** Whether a toleration speaks of a taint (resourceclaim.ToleratesTaint, 1.36). */
export function toleratesTaint(
  { effect, key = '', operator = 'Equal', value = '' }: DeviceToleration,
  taint: DeviceTaint,
): boolean {
  if (effect !== undefined && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || (key !== '' && value === (taint.value ?? ''));
}

/** Whether taints keep a device from being given to who has these tolerations. */
export function keepsAway(taints: readonly DeviceTaint[], tolerations: readonly DeviceToleration[]): boolean {
  return taints.some(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => toleratesTaint(toleration, taint)),
  );
}
