import { invalidValue, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { Counter, Device, DeviceCounterConsumption } from '@kubechain/apimachinery/types/resource/v1';
import { validateNodeSelector } from '../../core/pod/validation/node-selector.ts';
import { semanticEqual } from '../../semantic-equal.ts';
import { needed, present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { attribute, countAttributesAndCapacities } from './attributes.ts';
import { bindingConditions } from './binding-conditions.ts';
import { sharedCapacity, wholeCapacity } from './capacity.ts';
import { list, map, set } from './collections.ts';
import {
  maxAttributesAndCapacities,
  maxAttributeValues,
  maxConsumedSets,
  maxCounters,
  maxDomain,
  maxIdentifier,
  maxTaints,
} from './limits.ts';
import { label, nodeName, qualifiedName } from './names.ts';
import { taint } from './taints.ts';

const maxQualifiedName = maxDomain + 1 + maxIdentifier;
const maxLabel = 63;
const oneNode =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set ' +
  'to true in the ResourceSlice spec';
const noNode =
  '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in ' +
  'the ResourceSlice spec';

/** Where a device stands, and what it was. */
export interface DeviceContext {
  readonly old: Device | undefined;
  readonly perDeviceNodeSelection: boolean;
}

/** One device of a slice (validateDevice of pkg/apis/resource/validation, 1.36). */
export function validateDevice(
  device: Device,
  { old, perDeviceNodeSelection }: DeviceContext,
  path: FieldPath,
): FieldError[] {
  const { allowMultipleAllocations, attributes, capacity, consumesCounters, taints } = device;
  return [
    ...label(device.name, path.child('name')),
    ...validateCounts(device, path),
    ...map({ maxKey: maxQualifiedName, key: qualifiedName, value: attribute })(attributes, path.child('attributes')),
    ...map({
      maxKey: maxQualifiedName,
      key: qualifiedName,
      value: allowMultipleAllocations === true ? sharedCapacity : wholeCapacity,
    })(capacity, path.child('capacity')),
    ...(old !== undefined && semanticEqual(old.taints, taints)
      ? []
      : list(maxTaints, taint)(taints, path.child('taints'))),
    ...set(
      maxConsumedSets,
      consumption,
      ({ counterSet }) => counterSet,
    )(consumesCounters, path.child('consumesCounters')),
    ...validateNodes(device, perDeviceNodeSelection, path),
    ...bindingConditions(device.bindingConditions, device.bindingFailureConditions, path),
  ];
}

function validateCounts(device: Device, path: FieldPath): FieldError[] {
  const count = countAttributesAndCapacities(device);
  const values = Object.keys(device.attributes ?? {}).length;
  return [
    ...(count > maxAttributesAndCapacities
      ? [
          invalidValue(
            path,
            count,
            `the total number of attributes and capacities must not exceed ${maxAttributesAndCapacities}`,
          ),
        ]
      : []),
    ...(values > maxAttributeValues
      ? [invalidValue(path, values, `the total number of attribute values must not exceed ${maxAttributeValues}`)]
      : []),
  ];
}

const anyCounter: Rule<Counter> = () => [];

/** Counters by name; there must be some. */
export const counters: Rule<Record<string, Counter> | undefined> = (entries = {}, path) =>
  Object.keys(entries).length === 0
    ? [required(path)]
    : map({ max: maxCounters, maxKey: maxLabel, key: label, value: anyCounter })(entries, path);

const consumption: Rule<DeviceCounterConsumption> = (
  { counters: consumed, counterSet }: Partial<DeviceCounterConsumption>,
  path,
) => [...needed(label)(counterSet, path.child('counterSet')), ...counters(consumed, path.child('counters'))];

/** Where the device is, if slices leave that to their devices. */
function validateNodes(device: Device, perDevice: boolean, path: FieldPath): FieldError[] {
  const { allNodes, nodeName: node, nodeSelector } = device;
  if (!perDevice)
    return node === undefined && nodeSelector === undefined && allNodes === undefined
      ? []
      : [invalidValue(path, null, noNode)];
  const given = [
    ...(node === undefined || node === '' ? [] : ['`nodeName`']),
    ...(nodeSelector === undefined ? [] : ['`nodeSelector`']),
    ...(allNodes === true ? ['`allNodes`'] : []),
  ];
  return [
    ...(node === ''
      ? [invalidValue(path.child('nodeName'), node, 'must not be empty')]
      : present(nodeName)(node, path.child('nodeName'))),
    ...(nodeSelector === undefined ? [] : validateNodeSelector(nodeSelector, path.child('nodeSelector'))),
    ...(allNodes === false ? [invalidValue(path.child('allNodes'), false, 'must be either unset or set to true')] : []),
    ...(given.length === 0
      ? [required(path, oneNode)]
      : given.length > 1
        ? [invalidValue(path, `{${given.join(', ')}}`, oneNode)]
        : []),
  ];
}
