import { Quantity, type KubeObject } from '@kubechain/apimachinery';
import { addAmounts, withoutZeros, type Amounts } from './amounts.ts';
import { objectCountName, one, type QuotaEvaluator } from './quota-evaluator.ts';

const count = objectCountName({ group: 'resource.k8s.io', resource: 'resourceclaims' });
const classSuffix = '.deviceclass.resource.k8s.io/devices';
/** What devices of a class are called as an extended resource that has no name of its own. */
const implicitPrefix = 'requests.deviceclass.resource.kubernetes.io/';
/** Of claims that were made for extended resources of a pod, which has been charged with them. */
const madeForPod = 'resource.kubernetes.io/extended-resource-claim';
/** The most devices that a claim can be given: what asks for all of them is charged with so many. */
const mostDevices = 32;

/** What devices a request asks for, or one of those that would do. */
interface DeviceRequest {
  readonly deviceClassName?: string;
  readonly allocationMode?: string;
  readonly count?: number;
}

interface ClaimSpec {
  readonly devices?: {
    readonly requests?: readonly {
      readonly exactly?: DeviceRequest;
      readonly firstAvailable?: readonly DeviceRequest[];
    }[];
  };
}

/**
 * ResourceClaims and the devices that they may be given, of each class
 * (pkg/quota/v1/evaluator/core/resource_claims.go, 1.36). Names that classes have as extended resources are not
 * charged.
 */
export const resourceClaimEvaluator: QuotaEvaluator = {
  handles: ({ operation, subresource }) => subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'),
  matchingResources: (names) => names.filter((name) => name === count || name.endsWith(classSuffix)),
  matchesScope: () => false,
  usage,
};

function usage(object: KubeObject): Amounts {
  const { devices } = (object['spec'] ?? {}) as ClaimSpec;
  let byClass: Amounts = new Map();
  for (const { exactly, firstAvailable = [] } of devices?.requests ?? [])
    byClass = addAmounts(
      byClass,
      mostOf(firstAvailable.length > 0 ? firstAvailable : exactly === undefined ? [] : [exactly]),
    );
  const result = new Map([
    [count, one],
    ...[...byClass].map(([name, amount]) => [`${name}${classSuffix}`, amount] as const),
  ]);
  if (object.metadata?.annotations?.[madeForPod] === 'true') return result;
  for (const [name, amount] of withoutZeros(byClass)) if (name !== '') result.set(`${implicitPrefix}${name}`, amount);
  return result;
}

/** The most that any of these takes, of each class. */
function mostOf(alternatives: readonly DeviceRequest[]): Amounts {
  const most = new Map<string, Quantity>();
  for (const { allocationMode, count: asked = 0, deviceClassName: name = '' } of alternatives) {
    const devices = allocationMode === 'All' ? mostDevices : allocationMode === 'ExactCount' ? asked : 0;
    const quantity = new Quantity(BigInt(devices));
    if (quantity.compare(most.get(name) ?? new Quantity(-1n)) > 0) most.set(name, quantity);
  }
  return most;
}
