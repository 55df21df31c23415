import { csiDriverStrategy } from './strategy.ts';
import { defaultCSIDriver } from './defaults.ts';
import { printCSIDriver } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves csidrivers. */
export const csiDriverResource = storedResource({
  group: 'storage.k8s.io',
  plural: 'csidrivers',
  returnDeletedObject: true,
  strategy: csiDriverStrategy,
  defaults: { v1: defaultCSIDriver },
  row: printCSIDriver,
});
