import { cronJobStrategy, cronJobStatusStrategy } from './strategy.ts';
import { defaultCronJob } from './defaults.ts';
import { printCronJob } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves cronjobs with status. */
export const cronJobResource = storedResource({
  group: 'batch',
  plural: 'cronjobs',
  strategy: (context) => cronJobStrategy(context.capabilities),
  status: cronJobStatusStrategy,
  defaults: { v1: defaultCronJob },
  row: printCronJob,
});
