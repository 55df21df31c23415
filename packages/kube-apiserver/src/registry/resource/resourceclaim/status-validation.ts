import {
  FieldPath,
  byteLength,
  forbiddenValue,
  formatIPAddress,
  goQuote,
  invalidValue,
  parseCIDR,
  tooLong,
  tooMany,
  validateConditions,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  AllocatedDeviceStatus,
  NetworkDeviceData,
  ResourceClaim,
  ResourceClaimConsumerReference,
  ResourceClaimStatus,
} from '@kubechain/apimachinery/types/resource/v1';
import { semanticEqual } from '../../semantic-equal.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { needed, present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { set } from '../validation/collections.ts';
import { jsonObject } from '../validation/configuration.ts';
import { deviceKey, sharedDeviceID } from '../validation/device-identity.ts';
import { requestNames } from '../validation/claim-spec.ts';
import {
  maxAddresses,
  maxDeviceConditions,
  maxDeviceData,
  maxHardwareAddress,
  maxInterfaceName,
  maxReservations,
} from '../validation/limits.ts';
import { driverName, label, poolName, uid } from '../validation/names.ts';
import { validateAllocation } from './allocation-validation.ts';

const statusPath = FieldPath.of('status');
const reservedPath = statusPath.child('reservedFor');

/** What the status of a claim may become (ValidateResourceClaimStatusUpdate of pkg/apis/resource/validation, 1.36). */
export function validateResourceClaimStatus(claim: ResourceClaim, { status: old = {} }: ResourceClaim): FieldError[] {
  const { allocation, devices, reservedFor } = claim.status ?? {};
  const allocated = new Set((allocation?.devices?.results ?? []).map(deviceKey));
  return [
    ...set<ResourceClaimConsumerReference>(
      maxReservations,
      consumer,
      ({ uid: id = '' }: Partial<ResourceClaimConsumerReference>) => id,
    )(reservedFor, reservedPath),
    ...set<AllocatedDeviceStatus>(
      Number.POSITIVE_INFINITY,
      deviceStatus(allocated),
      sharedDeviceID,
    )(devices, statusPath.child('devices')),
    ...validateReservations(claim, old),
    ...validateNewAllocation(claim, old),
  ];
}

/** Only what is allocated is reserved, and what is going away not any more. */
function validateReservations(
  { metadata, status: { allocation, reservedFor = [] } = {} }: ResourceClaim,
  { reservedFor: old = [] }: ResourceClaimStatus,
): FieldError[] {
  if (reservedFor.length === 0) return [];
  if (allocation === undefined)
    return [forbiddenValue(reservedPath, 'may not be specified when `allocated` is not set')];
  const added = reservedFor.some((reference) => !old.some((each) => semanticEqual(each, reference)));
  return metadata?.deletionTimestamp !== undefined && added
    ? [
        forbiddenValue(
          reservedPath,
          'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set',
        ),
      ]
    : [];
}

/** An allocation stays as it is until it is taken back. */
function validateNewAllocation(
  { spec, status: { allocation } = {} }: ResourceClaim,
  { allocation: old }: ResourceClaimStatus,
): FieldError[] {
  const path = statusPath.child('allocation');
  if (allocation === undefined) return [];
  if (old === undefined)
    return validateAllocation(
      allocation,
      { names: requestNames((spec as ResourceClaim['spec'] | undefined)?.devices ?? {}), stored: false },
      path,
    );
  return semanticEqual(allocation, old)
    ? []
    : [invalidValue(path, internalForm('resource.AllocationResult', allocation), 'field is immutable')];
}

const consumer: Rule<ResourceClaimConsumerReference> = (reference, path) =>
  (['resource', 'name', 'uid'] as const).flatMap((name) => needed()(reference[name], path.child(name)));

function deviceStatus(allocated: ReadonlySet<string>): Rule<AllocatedDeviceStatus> {
  return (device, path) => {
    const { conditions = [], data, networkData, shareID } = device;
    return [
      ...driverName(device.driver, path.child('driver')),
      ...poolName(device.pool, path.child('pool')),
      ...label(device.device, path.child('device')),
      ...present(uid)(shareID, path.child('shareID')),
      ...(allocated.has(deviceKey(device))
        ? []
        : [invalidValue(path, sharedDeviceID(device), 'must be an allocated device in the claim')]),
      ...(conditions.length > maxDeviceConditions
        ? [tooMany(path.child('conditions'), conditions.length, maxDeviceConditions)]
        : []),
      ...validateConditions(conditions, path.child('conditions')),
      ...(data === undefined || data === null
        ? []
        : jsonObject(maxDeviceData, { stored: false })(data, path.child('data'))),
      ...present(network)(networkData, path.child('networkData')),
    ];
  };
}

const network: Rule<NetworkDeviceData> = ({ hardwareAddress = '', interfaceName = '', ips }, path) => [
  ...(byteLength(interfaceName) > maxInterfaceName ? [tooLong(path.child('interfaceName'), maxInterfaceName)] : []),
  ...(byteLength(hardwareAddress) > maxHardwareAddress
    ? [tooLong(path.child('hardwareAddress'), maxHardwareAddress)]
    : []),
  ...set(maxAddresses, interfaceAddress, (address) => address)(ips, path.child('ips')),
];

/** An address with the length of its network's prefix, in its canonical form. */
const interfaceAddress: Rule<string> = (text, path) => {
  const cidr = parseCIDR(text);
  if (cidr === undefined)
    return [invalidValue(path, text, 'must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)')];
  const canonical = `${formatIPAddress(cidr.address.family, cidr.address.value)}/${cidr.prefix}`;
  return text === canonical ? [] : [invalidValue(path, text, `must be in canonical form (${goQuote(canonical)})`)];
};
