import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** PersistentVolumeClaim: pending until a controller binds it. */
export const persistentVolumeClaimStrategy = specStrategy({ status: true, prepareForCreate(claim) { claim['status'] = { phase: 'Pending' }; } });

/** PersistentVolumeClaim's status endpoint. */
export const persistentVolumeClaimStatusStrategy = statusStrategy();
