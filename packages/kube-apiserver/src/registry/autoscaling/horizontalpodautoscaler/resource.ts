import type { HPAScalingRules, HorizontalPodAutoscaler } from '@kubechain/apimachinery/types/autoscaling/v2';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatus,
  validateHorizontalPodAutoscalerUpdate,
} from './validation.ts';
import { defaultHorizontalPodAutoscalerV1, defaultHorizontalPodAutoscaler } from './defaults.ts';
import { printAutoscaler } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves horizontalpodautoscalers with status. */
export const horizontalPodAutoscalerResource = storedResource({
  group: 'autoscaling',
  plural: 'horizontalpodautoscalers',
  strategy: ({ capabilities }) => {
    const keepsTolerance = capabilities.enabled('HPAConfigurableTolerance');
    return specStrategy({
      status: true,
      // HPAGeneration
      ...(capabilities.since('1.37') ? { generation: 'spec' } : {}),
      ...validated<HorizontalPodAutoscaler>({
        create: (object) => validateHorizontalPodAutoscaler(object, capabilities),
        update: (object, old) => validateHorizontalPodAutoscalerUpdate(object, old, capabilities),
      }),
      prepareForCreate(autoscaler) {
        if (!keepsTolerance) dropTolerance(autoscaler as HorizontalPodAutoscaler);
      },
      prepareForUpdate(autoscaler, old) {
        if (!keepsTolerance) dropTolerance(autoscaler as HorizontalPodAutoscaler, old as HorizontalPodAutoscaler);
      },
    });
  },
  status: statusStrategy({
    hooks: validated({ update: validateHorizontalPodAutoscalerStatus }),
  }),
  defaults: { v1: defaultHorizontalPodAutoscalerV1, v2: defaultHorizontalPodAutoscaler },
  row: printAutoscaler,
});

/** How far off is near enough goes while HPAConfigurableTolerance is off, but stays where it is. */
function dropTolerance(autoscaler: HorizontalPodAutoscaler, old?: HorizontalPodAutoscaler): void {
  const rulesOf = ({ spec }: HorizontalPodAutoscaler): HPAScalingRules[] =>
    [spec?.behavior?.scaleUp, spec?.behavior?.scaleDown].filter((rules) => rules !== undefined);
  if (old !== undefined && rulesOf(old).some(({ tolerance }) => tolerance !== undefined)) return;
  for (const rules of rulesOf(autoscaler)) delete rules.tolerance;
}
