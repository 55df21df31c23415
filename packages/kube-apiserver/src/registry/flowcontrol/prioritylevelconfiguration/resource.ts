import { priorityLevelConfigurationStrategy, priorityLevelConfigurationStatusStrategy } from './strategy.ts';
import { defaultPriorityLevelConfiguration } from './defaults.ts';
import { printPriorityLevel } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves prioritylevelconfigurations with status. */
export const priorityLevelConfigurationResource = storedResource({
  group: 'flowcontrol.apiserver.k8s.io',
  plural: 'prioritylevelconfigurations',
  strategy: ({ release }) => priorityLevelConfigurationStrategy(release),
  status: priorityLevelConfigurationStatusStrategy,
  defaults: { v1: defaultPriorityLevelConfiguration },
  row: printPriorityLevel,
});
