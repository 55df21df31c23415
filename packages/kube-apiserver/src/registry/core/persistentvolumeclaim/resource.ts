import { persistentVolumeClaimStrategy, persistentVolumeClaimStatusStrategy } from './strategy.ts';
import { defaultPersistentVolumeClaim } from './defaults.ts';
import { printPersistentVolumeClaim } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves persistentvolumeclaims with status. */
export const persistentVolumeClaimResource = storedResource({
  group: '',
  plural: 'persistentvolumeclaims',
  returnDeletedObject: true,
  // Its phase is a default of decoding, and nothing of the status of a new claim is stored.
  isStoredBare: () => true,
  strategy: ({ capabilities }) => persistentVolumeClaimStrategy(capabilities),
  status: persistentVolumeClaimStatusStrategy,
  defaults: { v1: defaultPersistentVolumeClaim },
  row: printPersistentVolumeClaim,
});
