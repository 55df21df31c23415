import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** PersistentVolumeClaim: what its spec's endpoint does beyond the generic registry. */
export const persistentVolumeClaimStrategy = specStrategy({ status: true });

/** PersistentVolumeClaim's status endpoint. */
export const persistentVolumeClaimStatusStrategy = statusStrategy();
