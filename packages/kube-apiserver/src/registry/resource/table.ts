import type {
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from '@kubechain/apimachinery/types/resource/v1';
import { ageOf, nameOf, printer } from '../table/printer.ts';

function claimState({ metadata, status }: ResourceClaim): string {
  const states: string[] = [];
  if (metadata?.deletionTimestamp) states.push('deleted');
  if (status?.allocation !== undefined) {
    states.push('allocated');
    if ((status.reservedFor?.length ?? 0) > 0) states.push('reserved');
  } else if (states.length === 0) states.push('pending');
  return states.join(',');
}

/** Rows of dynamic resource allocation (pkg/printers/internalversion, 1.36). */
export const resourcePrinters = [
  printer<DeviceClass>('DeviceClass', (object) => [nameOf(object), ageOf(object)]),
  printer<ResourceClaim>('ResourceClaim', (claim) => [nameOf(claim), claimState(claim), ageOf(claim)]),
  printer<ResourceClaimTemplate>('ResourceClaimTemplate', (object) => [nameOf(object), ageOf(object)]),
  printer<ResourceSlice>('ResourceSlice', (slice) => [
    nameOf(slice),
    slice.spec?.nodeName ?? '',
    slice.spec?.driver ?? '',
    slice.spec?.pool?.name ?? '',
    ageOf(slice),
  ]),
];
