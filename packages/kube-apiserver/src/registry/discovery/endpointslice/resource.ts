import { endpointSliceStrategy } from './strategy.ts';
import { defaultEndpointSlice } from './defaults.ts';
import { printEndpointSlice } from '../../networking/table.ts';
import { storedResource } from '../../resource.ts';

/** Serves endpointslices. */
export const endpointSliceResource = storedResource({
  group: 'discovery.k8s.io',
  plural: 'endpointslices',
  strategy: endpointSliceStrategy,
  defaults: { v1: defaultEndpointSlice },
  row: printEndpointSlice,
});
