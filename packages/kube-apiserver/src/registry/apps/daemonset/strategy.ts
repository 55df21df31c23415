import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** DaemonSet: what its spec's endpoint does beyond the generic registry. */
export const daemonSetStrategy = specStrategy({ generation: 'spec', status: true });

/** DaemonSet's status endpoint. */
export const daemonSetStatusStrategy = statusStrategy();
