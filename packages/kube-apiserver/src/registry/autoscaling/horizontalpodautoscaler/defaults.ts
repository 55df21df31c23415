import { dropRoundTripAnnotations, isGiven } from '@kubechain/apimachinery';
import type { HorizontalPodAutoscaler as AutoscalerV1 } from '@kubechain/apimachinery/types/autoscaling/v1';
import type { HPAScalingRules, HorizontalPodAutoscaler } from '@kubechain/apimachinery/types/autoscaling/v2';

/** Per cent of the requested CPU that is aimed at when no metric is named. */
const cpuUtilization = 80;

/** Defaults of autoscaling/v1; the metric follows when it is converted (pkg/apis/autoscaling/v1, 1.36). */
export function defaultHorizontalPodAutoscalerV1(autoscaler: AutoscalerV1): void {
  const spec = (autoscaler.spec ??= { scaleTargetRef: { kind: '', name: '' }, maxReplicas: 0 });
  spec.minReplicas ??= 1;
}

/** Defaults of autoscaling/v2 (pkg/apis/autoscaling/v2, 1.36). */
export function defaultHorizontalPodAutoscaler(autoscaler: HorizontalPodAutoscaler): void {
  dropRoundTripAnnotations(autoscaler);
  const spec = (autoscaler.spec ??= { scaleTargetRef: { kind: '', name: '' }, maxReplicas: 0 });
  spec.minReplicas ??= 1;
  if ((spec.metrics?.length ?? 0) === 0)
    spec.metrics = [
      {
        type: 'Resource',
        resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: cpuUtilization } },
      },
    ];
  const { behavior } = spec;
  if (behavior === undefined) return;
  behavior.scaleUp = completed(behavior.scaleUp, {
    stabilizationWindowSeconds: 0,
    selectPolicy: 'Max',
    policies: [
      { type: 'Pods', value: 4, periodSeconds: 15 },
      { type: 'Percent', value: 100, periodSeconds: 15 },
    ],
  });
  behavior.scaleDown = completed(behavior.scaleDown, {
    selectPolicy: 'Max',
    policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
  });
}

/** A list of policies without entries is not replaced, and so refused. */
function completed(rules: HPAScalingRules | undefined, defaults: HPAScalingRules): HPAScalingRules {
  return { ...defaults, ...rules, ...(isGiven(rules, 'policies') ? { policies: rules?.policies ?? [] } : {}) };
}
