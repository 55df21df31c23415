import type { CSIDriver } from '@kubechain/apimachinery/types/storage/v1';
import { csiDriverStrategy } from './strategy.ts';
import { defaultCSIDriver } from './defaults.ts';
import { printCSIDriver } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves csidrivers. */
export const csiDriverResource = storedResource({
  group: 'storage.k8s.io',
  plural: 'csidrivers',
  returnDeletedObject: true,
  strategy: ({ capabilities }) => csiDriverStrategy(capabilities),
  defaults: ({ capabilities }) => ({
    v1: (driver: CSIDriver) => {
      defaultCSIDriver(driver, capabilities.enabled('VolumeLimitScaling'));
    },
  }),
  row: printCSIDriver,
});
