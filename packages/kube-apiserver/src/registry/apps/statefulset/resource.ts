import type { StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import { statefulSetStrategy, statefulSetStatusStrategy } from './strategy.ts';
import { defaultStatefulSet } from './defaults.ts';
import { printStatefulSet } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves statefulsets with status and scale. */
export const statefulSetResource = storedResource({
  group: 'apps',
  plural: 'statefulsets',
  strategy: (context) => statefulSetStrategy(context.capabilities),
  status: statefulSetStatusStrategy,
  scale: 'object',
  defaults: ({ capabilities }) => ({
    v1: (set: StatefulSet) => {
      defaultStatefulSet(set, capabilities.enabled('MaxUnavailableStatefulSet'));
    },
  }),
  row: printStatefulSet,
});
