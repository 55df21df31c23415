import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import {
  validateHorizontalPodAutoscaler,
  validateHorizontalPodAutoscalerStatus,
  validateHorizontalPodAutoscalerUpdate,
} from './validation.ts';

/** HorizontalPodAutoscaler: what its spec's endpoint does beyond the generic registry. */
export const horizontalPodAutoscalerStrategy = specStrategy({
  status: true,
  ...validated({ create: validateHorizontalPodAutoscaler, update: validateHorizontalPodAutoscalerUpdate }),
});

/** HorizontalPodAutoscaler's status endpoint. */
export const horizontalPodAutoscalerStatusStrategy = statusStrategy({
  hooks: validated({ update: validateHorizontalPodAutoscalerStatus }),
});
