import type {
  DeviceClass,
  ResourceClaim,
  ResourceClaimTemplate,
  ResourceSlice,
} from '@kubechain/apimachinery/types/resource/v1';
import { ageOf, nameOf } from '../table/printer.ts';
import type { Printer } from '../table/printer.ts';

function claimState({ metadata, status }: ResourceClaim): string {
  const states: string[] = [];
  if (metadata?.deletionTimestamp) states.push('deleted');
  if (status?.allocation !== undefined) {
    states.push('allocated');
    if ((status.reservedFor?.length ?? 0) > 0) states.push('reserved');
  } else if (states.length === 0) states.push('pending');
  return states.join(',');
}

/** Row of DeviceClass. */
export const printDeviceClass: Printer<DeviceClass> = (object) => [nameOf(object), ageOf(object)];

/** Row of ResourceClaim. */
export const printResourceClaim: Printer<ResourceClaim> = (claim) => [nameOf(claim), claimState(claim), ageOf(claim)];

/** Row of ResourceClaimTemplate. */
export const printResourceClaimTemplate: Printer<ResourceClaimTemplate> = (object) => [nameOf(object), ageOf(object)];

/** Row of ResourceSlice. */
export const printResourceSlice: Printer<ResourceSlice> = (slice) => [
  nameOf(slice),
  slice.spec?.nodeName ?? '',
  slice.spec?.driver ?? '',
  slice.spec?.pool?.name ?? '',
  ageOf(slice),
];
