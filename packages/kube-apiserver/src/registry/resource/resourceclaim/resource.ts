import { resourceClaimStrategy, resourceClaimStatusStrategy } from './strategy.ts';
import { defaultOlderResourceClaim, defaultResourceClaim } from '../defaults.ts';
import { printResourceClaim } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** resourceclaims with status. */
export const resourceClaimResource = storedResource({
  group: 'resource.k8s.io',
  plural: 'resourceclaims',
  strategy: ({ capabilities, storeOf }) => resourceClaimStrategy(() => storeOf('', 'namespaces'), capabilities),
  status: ({ authorizer, capabilities, storeOf }) =>
    resourceClaimStatusStrategy(() => storeOf('', 'namespaces'), authorizer, capabilities),
  statusWithoutTables: true,
  defaults: { v1: defaultResourceClaim, v1beta2: defaultResourceClaim, v1beta1: defaultOlderResourceClaim },
  row: printResourceClaim,
  returnDeletedObject: true,
});
