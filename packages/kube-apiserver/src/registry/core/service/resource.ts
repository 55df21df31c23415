import { textField } from '../../field-readers.ts';
import { storedServiceCompletion } from './complete-stored.ts';
import { serviceHooks } from './hooks.ts';
import { serviceProxy } from './proxy.ts';
import { serviceStatusStrategy, serviceStrategy } from './strategy.ts';
import { defaultService } from './defaults.ts';
import { printService } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** services with proxy and status. */
export const serviceResource = storedResource({
  group: '',
  plural: 'services',
  strategy: ({ capabilities }) => serviceStrategy(capabilities),
  status: serviceStatusStrategy,
  statusCreates: 'update',
  defaults: { v1: defaultService },
  row: printService,
  returnDeletedObject: true,
  fields: { 'spec.clusterIP': textField('spec.clusterIP'), 'spec.type': textField('spec.type') },
  store: ({ featureEnabled, serviceAllocators, storeOf }) => ({
    hooks: serviceHooks(serviceAllocators, () => storeOf('', 'endpoints'), featureEnabled('StrictIPCIDRValidation')),
    storedCompletion: storedServiceCompletion(() => serviceAllocators.clusterIPs.families[0]),
  }),
  also: (store, { randomness, storeOf, streaming }) => [
    [
      'services/proxy',
      serviceProxy({
        services: store,
        endpoints: () => storeOf('', 'endpoints'),
        pods: () => storeOf('', 'pods'),
        reach: streaming.kubelets.reach,
        random: randomness.random,
      }),
    ],
  ],
});
