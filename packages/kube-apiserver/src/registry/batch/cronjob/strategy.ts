import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** CronJob: what its spec's endpoint does beyond the generic registry. */
export const cronJobStrategy = specStrategy({ generation: 'spec', status: true });

/** CronJob's status endpoint. */
export const cronJobStatusStrategy = statusStrategy();
