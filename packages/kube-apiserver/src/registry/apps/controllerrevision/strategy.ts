import { specStrategy } from '../../spec-strategy.ts';

/** ControllerRevision: what its spec's endpoint does beyond the generic registry. */
export const controllerRevisionStrategy = specStrategy();
