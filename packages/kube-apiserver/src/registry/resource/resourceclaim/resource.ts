import { resourceClaimStrategy, resourceClaimStatusStrategy } from './strategy.ts';
import { defaultResourceClaim } from '../defaults.ts';
import { printResourceClaim } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** resourceclaims with status. */
export const resourceClaimResource = storedResource({
  group: 'resource.k8s.io',
  plural: 'resourceclaims',
  strategy: ({ storeOf }) => resourceClaimStrategy(() => storeOf('', 'namespaces')),
  status: ({ authorizer, storeOf }) => resourceClaimStatusStrategy(() => storeOf('', 'namespaces'), authorizer),
  defaults: { v1: defaultResourceClaim, v1beta2: defaultResourceClaim },
  row: printResourceClaim,
  returnDeletedObject: true,
});
