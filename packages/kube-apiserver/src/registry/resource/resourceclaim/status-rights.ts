import { FieldPath, compareText, forbiddenValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { AllocationResult, ResourceClaimStatus } from '@kubechain/apimachinery/types/resource/v1';
import { authorizationAttributes, forbiddenError } from '@kubechain/apiserver/resources';
import { splitServiceAccountUsername } from '@kubechain/apiserver/tokens';
import type { AuthorizationAttributes, Authorizer, RESTContext } from '@kubechain/apiserver/resources';
import { semanticEqual } from '../../semantic-equal.ts';
import { deviceKey } from '../validation/device-identity.ts';

const nodeNameKey = 'authentication.kubernetes.io/node-name';
const statusPath = FieldPath.of('status');

/**
 * Whoever allocates or reserves needs a right of its own (AuthorizedForBinding of pkg/registry/resource, 1.36; feature
 * gate DRAResourceClaimGranularStatusAuthorization).
 */
export async function checkBindingRights(
  { request }: RESTContext,
  authorizer: Authorizer,
  status: ResourceClaimStatus,
  old: ResourceClaimStatus,
): Promise<FieldError[]> {
  if (semanticEqual(status.allocation, old.allocation) && semanticEqual(status.reservedFor, old.reservedFor)) return [];
  const attributes = { ...authorizationAttributes(request), subresource: 'binding', namespace: '', name: '' };
  const refusal = await refusalOf(authorizer, attributes);
  return refusal === undefined
    ? []
    : [
        forbiddenValue(
          statusPath.child('allocation'),
          'changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", ' +
            `verb="${attributes.verb}" permission: ${refusal}`,
        ),
      ];
}

/**
 * Whoever reports on devices needs the right for each driver: on the node of the devices, or on any
 * (AuthorizedForDeviceStatus).
 */
export async function checkDeviceRights(
  { request }: RESTContext,
  authorizer: Authorizer,
  status: ResourceClaimStatus,
  old: ResourceClaimStatus,
): Promise<FieldError[]> {
  const drivers = changedDrivers(status, old);
  if (status.allocation === undefined || drivers.length === 0) return [];
  const base = authorizationAttributes(request);
  const node = nodeOf(status.allocation);
  const verbs = [
    ...(node !== '' && nodeOfServiceAccount(base) === node ? [`associated-node:${base.verb}`] : []),
    `arbitrary-node:${base.verb}`,
  ];
  const errors: FieldError[] = [];
  for (const driver of drivers) {
    const refusals = [];
    for (const verb of verbs) {
      const refusal = await refusalOf(authorizer, { ...base, verb, subresource: 'driver', name: driver });
      if (refusal === undefined) break;
      refusals.push(refusal);
    }
    if (refusals.length === verbs.length)
      errors.push(
        forbiddenValue(
          statusPath.child('devices'),
          `changing status.devices requires resource="resourceclaims/driver", verb="[${verbs.join(' ')}]" ` +
            `permission: ${refusals[0] ?? ''}`,
        ),
      );
  }
  return errors;
}

async function refusalOf(authorizer: Authorizer, attributes: AuthorizationAttributes): Promise<string | undefined> {
  const { decision, reason } = await authorizer.authorize(attributes);
  return decision === 'Allow' ? undefined : forbiddenError(attributes, reason).message;
}

/** Drivers whose devices' status was added, changed or removed, by name. */
function changedDrivers({ devices = [] }: ResourceClaimStatus, { devices: old = [] }: ResourceClaimStatus): string[] {
  const before = new Map(old.map((device) => [deviceKey(device), device]));
  const drivers = new Set<string>();
  for (const device of devices) {
    const key = deviceKey(device);
    if (!semanticEqual(before.get(key), device)) drivers.add(device.driver);
    before.delete(key);
  }
  for (const { driver } of before.values()) drivers.add(driver);
  return [...drivers].sort(compareText);
}

/** The node that allocated devices are on, where they are on exactly one. */
function nodeOf({ nodeSelector }: AllocationResult): string {
  const [term, ...terms] = nodeSelector?.nodeSelectorTerms ?? [];
  const [field, ...fields] = term?.matchFields ?? [];
  if (terms.length > 0 || fields.length > 0 || (term?.matchExpressions?.length ?? 0) > 0) return '';
  return field?.key === 'metadata.name' && field.operator === 'In' && field.values?.length === 1
    ? (field.values[0] ?? '')
    : '';
}

function nodeOfServiceAccount({ user }: AuthorizationAttributes): string | undefined {
  if (splitServiceAccountUsername(user.name) === undefined) return undefined;
  const names = user.extra?.[nodeNameKey] ?? [];
  return names.length === 1 ? names[0] : undefined;
}
