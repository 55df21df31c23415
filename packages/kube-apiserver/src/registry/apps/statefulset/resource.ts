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
  defaults: { v1: defaultStatefulSet },
  row: printStatefulSet,
});
