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
  strategy: ({ release }) =>
    specStrategy({
      status: true,
      // HPAGeneration
      ...(release.since('1.37') ? { generation: 'spec' } : {}),
      ...validated({ create: validateHorizontalPodAutoscaler, update: validateHorizontalPodAutoscalerUpdate }),
    }),
  status: statusStrategy({
    hooks: validated({ update: validateHorizontalPodAutoscalerStatus }),
  }),
  defaults: { v1: defaultHorizontalPodAutoscalerV1, v2: defaultHorizontalPodAutoscaler },
  row: printAutoscaler,
});
