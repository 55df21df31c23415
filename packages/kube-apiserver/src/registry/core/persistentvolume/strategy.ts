import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** PersistentVolume: what its spec's endpoint does beyond the generic registry. */
export const persistentVolumeStrategy = specStrategy({ status: true });

/** PersistentVolume's status endpoint. */
export const persistentVolumeStatusStrategy = statusStrategy();
