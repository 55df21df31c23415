import { ageSince } from '@kubechain/apiserver/resources';
import type { TableCell } from '@kubechain/apiserver/resources';
import { storedResource } from '../../resource.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { nameOf } from '../../table/printer.ts';
import { validated } from '../../validation/validate.ts';
import type { PoolStatus, ResourcePoolStatusRequest } from './resource-pool-status-request.ts';
import {
  validateResourcePoolStatusRequest,
  validateResourcePoolStatusRequestStatus,
  validateResourcePoolStatusRequestUpdate,
} from './validation.ts';

const defaultLimit = 100;
const counts = ['totalDevices', 'availableDevices', 'allocatedDevices', 'unavailableDevices'] as const;

/** Serves resourcepoolstatusrequests with status. */
export const resourcePoolStatusRequestResource = storedResource({
  group: 'resource.k8s.io',
  plural: 'resourcepoolstatusrequests',
  returnDeletedObject: true,
  strategy: specStrategy({
    ...validated({ create: validateResourcePoolStatusRequest, update: validateResourcePoolStatusRequestUpdate }),
    allowUnconditionalUpdate: false,
    status: true,
  }),
  status: statusStrategy({
    resetMetadata: true,
    hooks: {
      ...validated({ update: validateResourcePoolStatusRequestStatus }),
      allowUnconditionalUpdate: false,
    },
  }),
  defaults: {
    v1alpha3: ({ spec }: ResourcePoolStatusRequest) => {
      if (spec !== undefined) spec.limit ??= defaultLimit;
    },
  },
  row: (request: ResourcePoolStatusRequest): TableCell[] => {
    const { pools = [], poolCount = 0 } = request.status ?? {};
    const ended = request.status?.conditions?.find(
      ({ status, type }) => status === 'True' && (type === 'Complete' || type === 'Failed'),
    );
    const isUnknown = request.status === undefined || ended?.type === 'Failed';
    const known = (count: () => number): string => (isUnknown ? '-' : String(count()));
    return [
      nameOf(request),
      request.spec?.driver ?? '',
      ...counts.map((name) => known(() => sum(pools, name))),
      known(() => pools.filter(({ validationError }) => validationError !== undefined).length),
      poolCount,
      ended?.type === 'Complete' && poolCount > pools.length
        ? `Complete (${pools.length}/${poolCount} pools)`
        : (ended?.type ?? 'Pending'),
      ended?.type === 'Complete' ? ageSince(ended.lastTransitionTime ?? undefined) : '<none>',
    ];
  },
});

function sum(pools: readonly PoolStatus[], name: (typeof counts)[number]): number {
  return pools.reduce((total, { [name]: count = 0 }) => total + count, 0);
}
