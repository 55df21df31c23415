import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** PersistentVolume: pending until a controller finds it a claim. */
export const persistentVolumeStrategy = specStrategy({ status: true, prepareForCreate(volume) { volume['status'] = { phase: 'Pending' }; } });

/** PersistentVolume's status endpoint. */
export const persistentVolumeStatusStrategy = statusStrategy();
