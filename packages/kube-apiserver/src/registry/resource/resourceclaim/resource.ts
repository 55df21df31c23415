import { resourceClaimStrategy, resourceClaimStatusStrategy } from './strategy.ts';
import { defaultOlderResourceClaim, defaultResourceClaim } from '../defaults.ts';
import { printResourceClaim } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** resourceclaims with status. */
export const resourceClaimResource = storedResource({
  group: 'resource.k8s.io',
  plural: 'resourceclaims',
  strategy: ({ storeOf }) => resourceClaimStrategy(() => storeOf('', 'namespaces')),
  status: ({ authorizer, storeOf }) => resourceClaimStatusStrategy(() => storeOf('', 'namespaces'), authorizer),
  defaults: { v1: defaultResourceClaim, v1beta2: defaultResourceClaim, v1beta1: defaultOlderResourceClaim },
  row: printResourceClaim,
  returnDeletedObject: true,
});
