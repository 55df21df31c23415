import { notSupported, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type {
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
} from '@kubechain/apimachinery/types/resource/v1';
import { validateNodeSelector } from '../../core/pod/validation/node-selector.ts';
import { present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { bindingConditions } from '../validation/binding-conditions.ts';
import { claimConfiguration, requestReference } from '../validation/claim-spec.ts';
import { list } from '../validation/collections.ts';
import type { Seen } from '../validation/configuration.ts';
import { maxConfigs, maxResults } from '../validation/limits.ts';
import { driverName, label, poolName, uid } from '../validation/names.ts';

const sources = ['FromClaim', 'FromClass'];

/** The claim that something is allocated to. */
export interface ClaimContext extends Seen {
  readonly names: ReadonlySet<string>;
}

/** What was allocated (validateAllocationResult of pkg/apis/resource/validation, 1.36). */
export function validateAllocation(
  { devices = {}, nodeSelector }: AllocationResult,
  claim: ClaimContext,
  path: FieldPath,
): FieldError[] {
  const devicesPath = path.child('devices');
  return [
    ...list(maxResults, result(claim))(devices.results, devicesPath.child('results')),
    // Those of the class, and those of the claim.
    ...list(2 * maxConfigs, configuration(claim))(devices.config, devicesPath.child('config')),
    ...(nodeSelector === undefined ? [] : validateNodeSelector(nodeSelector, path.child('nodeSelector'))),
  ];
}

function result({ names }: ClaimContext): Rule<DeviceRequestAllocationResult> {
  return (value, path) => [
    ...requestReference(names)(value.request, path.child('request')),
    ...driverName(value.driver, path.child('driver')),
    ...poolName(value.pool, path.child('pool')),
    ...label(value.device, path.child('device')),
    ...bindingConditions(value.bindingConditions, value.bindingFailureConditions, path),
    ...present(uid)(value.shareID, path.child('shareID')),
  ];
}

function configuration(claim: ClaimContext): Rule<DeviceAllocationConfiguration> {
  return (value, path) => {
    const source: string = value.source ?? '';
    const sourcePath = path.child('source');
    return [
      ...(source === ''
        ? [required(sourcePath)]
        : sources.includes(source)
          ? []
          : [notSupported(sourcePath, source, sources)]),
      ...claimConfiguration(value, claim, path),
    ];
  };
}
