import { textField } from '../../field-readers.ts';
import { resourceSliceStrategy } from './strategy.ts';
import { olderResourceSliceDefaulter, resourceSliceDefaulter } from '../defaults.ts';
import { printResourceSlice } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves resourceslices. */
export const resourceSliceResource = storedResource({
  group: 'resource.k8s.io',
  plural: 'resourceslices',
  fields: { 'spec.nodeName': textField('spec.nodeName'), 'spec.driver': textField('spec.driver') },
  returnDeletedObject: true,
  fieldLabelError: (label, version) =>
    `field label not supported for resource.k8s.io/${version}, Kind=ResourceSlice: ${label}`,
  strategy: ({ capabilities }) => resourceSliceStrategy(capabilities),
  defaults: ({ clock }) => ({
    v1: resourceSliceDefaulter(clock),
    v1beta2: resourceSliceDefaulter(clock),
    v1beta1: olderResourceSliceDefaulter(clock),
  }),
  row: printResourceSlice,
});
