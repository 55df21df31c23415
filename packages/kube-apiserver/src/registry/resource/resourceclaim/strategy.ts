import type { KubeObject } from '@kubechain/apimachinery';
import type { ResourceClaim, ResourceClaimSpec, ResourceClaimStatus } from '@kubechain/apimachinery/types/resource/v1';
import type { Authorizer, Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { dropGatedFields } from '../../gated-fields.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { gatedClaimSpecFields, gatedClaimStatusFields } from '../gated-claim-fields.ts';
import { deviceKey } from '../validation/device-identity.ts';
import { checkAdminRequests, checkAdminResults, type Namespaces } from './admin-access.ts';
import { checkBindingRights, checkDeviceRights } from './status-rights.ts';
import { validateResourceClaimStatus } from './status-validation.ts';
import { validateResourceClaim, validateResourceClaimUpdate } from './validation.ts';

/** ResourceClaim: what its spec's endpoint does beyond the generic registry. */
export function resourceClaimStrategy(namespaces: Namespaces, { enabled }: Capabilities): Strategy {
  return specStrategy({
    ...validated({ update: validateResourceClaimUpdate }),
    status: true,
    prepareForCreate: (claim) => {
      dropGatedFields(gatedClaimSpecFields, specOf(claim), { enabled, old: undefined });
    },
    prepareForUpdate: (claim, old) => {
      dropGatedFields(gatedClaimSpecFields, specOf(claim), { enabled, old: specOf(old) });
    },
    validate: async (object, context) => {
      const claim = object as Partial<ResourceClaim>;
      return [
        ...(await checkAdminRequests(claim.spec?.devices?.requests, context, namespaces)),
        ...validateResourceClaim(claim),
      ];
    },
  });
}

/** ResourceClaim's status endpoint, which schedulers and drivers write, each with rights of its own. */
export function resourceClaimStatusStrategy(
  namespaces: Namespaces,
  authorizer: Authorizer,
  { enabled }: Capabilities,
): Strategy {
  const hasRightsOfDevices = enabled('DRAResourceClaimGranularStatusAuthorization');
  return statusStrategy({
    resetMetadata: true,
    hooks: {
      prepareForUpdate: (claim, old) => {
        dropDeallocatedDevices(statusOf(claim), statusOf(old));
        dropGatedFields(gatedClaimStatusFields, claim as ResourceClaim, { enabled, old: old as ResourceClaim });
      },
      validateUpdate: async (object, oldObject, context) => {
        const [status, old] = [statusOf(object), statusOf(oldObject)];
        return [
          ...(await checkAdminResults(
            status.allocation?.devices?.results,
            old.allocation?.devices?.results,
            context,
            namespaces,
          )),
          ...(hasRightsOfDevices
            ? [
                ...(await checkBindingRights(context, authorizer, status, old)),
                ...(await checkDeviceRights(context, authorizer, status, old)),
              ]
            : []),
          ...validateResourceClaimStatus(object as ResourceClaim, oldObject as ResourceClaim),
        ];
      },
    },
  });
}

function specOf(claim: KubeObject): Partial<ResourceClaimSpec> {
  return (claim as ResourceClaim).spec ?? {};
}

function statusOf(claim: KubeObject): ResourceClaimStatus {
  return (claim as ResourceClaim).status ?? {};
}

/** What is said of devices goes with their allocation. */
function dropDeallocatedDevices(status: ResourceClaimStatus, old: ResourceClaimStatus): void {
  if (status.devices === undefined) return;
  const allocated = new Set((status.allocation?.devices?.results ?? []).map(deviceKey));
  const before = new Set((old.allocation?.devices?.results ?? []).map(deviceKey));
  status.devices = status.devices.filter(
    (device) => allocated.has(deviceKey(device)) || !before.has(deviceKey(device)),
  );
  if (status.devices.length === 0) delete status.devices;
}
