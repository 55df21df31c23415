import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** HorizontalPodAutoscaler: what its spec's endpoint does beyond the generic registry. */
export const horizontalPodAutoscalerStrategy = specStrategy({ status: true });

/** HorizontalPodAutoscaler's status endpoint. */
export const horizontalPodAutoscalerStatusStrategy = statusStrategy();
