import { daemonSetStrategy, daemonSetStatusStrategy } from './strategy.ts';
import { defaultDaemonSet } from './defaults.ts';
import { printDaemonSet } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves daemonsets with status. */
export const daemonSetResource = storedResource({
  group: 'apps',
  plural: 'daemonsets',
  strategy: (context) => daemonSetStrategy(context.capabilities),
  status: daemonSetStatusStrategy,
  defaults: { v1: defaultDaemonSet },
  row: printDaemonSet,
});
