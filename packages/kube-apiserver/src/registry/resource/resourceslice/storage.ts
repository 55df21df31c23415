import type { StorageProvider } from '../../storage-provider.ts';
import { textField } from '../../field-readers.ts';
import { resourceSliceStrategy } from './strategy.ts';

/** Serves resourceslices. */
export const resourceSliceStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'resource.k8s.io',
    plural: 'resourceslices',
    strategy: resourceSliceStrategy,
    fields: { 'spec.nodeName': textField('spec.nodeName'), 'spec.driver': textField('spec.driver') },
    returnDeletedObject: true,
    fieldLabelError: (label) => `field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: ${label}`,
  });
  return [['resourceslices', store]];
};
