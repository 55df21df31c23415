import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { horizontalPodAutoscalerStrategy, horizontalPodAutoscalerStatusStrategy } from './strategy.ts';

/** Serves horizontalpodautoscalers with status. */
export const horizontalPodAutoscalerStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'autoscaling',
    plural: 'horizontalpodautoscalers',
    strategy: horizontalPodAutoscalerStrategy,
  });
  return [
    ['horizontalpodautoscalers', store],
    ['horizontalpodautoscalers/status', createStatusStorage(store, horizontalPodAutoscalerStatusStrategy)],
  ];
};
