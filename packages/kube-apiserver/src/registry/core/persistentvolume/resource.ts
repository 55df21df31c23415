import { persistentVolumeStrategy, persistentVolumeStatusStrategy } from './strategy.ts';
import { defaultPersistentVolume } from './defaults.ts';
import { printPersistentVolume } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves persistentvolumes with status. */
export const persistentVolumeResource = storedResource({
  group: '',
  plural: 'persistentvolumes',
  returnDeletedObject: true,
  strategy: (context) => persistentVolumeStrategy(context.clock, context.capabilities),
  status: (context) => persistentVolumeStatusStrategy(context.clock),
  defaults: { v1: defaultPersistentVolume },
  row: printPersistentVolume,
});
