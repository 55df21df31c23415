import { FieldPath, invalidValue, isGiven, required } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  CounterSet,
  Device,
  ResourcePool,
  ResourceSlice,
  ResourceSliceSpec,
} from '@kubechain/apimachinery/types/resource/v1';
import { validateNodeSelector } from '../../core/pod/validation/node-selector.ts';
import { immutable } from '../../validation/immutable.ts';
import { internalForm } from '../../validation/internal-form.ts';
import { needed, present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { set } from '../validation/collections.ts';
import { counters, validateDevice } from '../validation/device.ts';
import { maxAdvancedDevices, maxCounterSets, maxDevices } from '../validation/limits.ts';
import { driverName, label, nodeName, poolName } from '../validation/names.ts';

const specPath = FieldPath.of('spec');
const trueOnly = 'must be either unset or set to true';
const oneOfThem = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

/** Rules of new slices (ValidateResourceSlice of pkg/apis/resource/validation, 1.36). */
export function validateResourceSlice({ spec }: Partial<ResourceSlice>): FieldError[] {
  return validateSpec(spec ?? {}, undefined);
}

/** Where the devices of a slice are does not change. */
export function validateResourceSliceUpdate(
  { spec }: Partial<ResourceSlice>,
  { spec: old }: Partial<ResourceSlice>,
): FieldError[] {
  return validateSpec(spec ?? {}, old ?? {});
}

function validateSpec(spec: Partial<ResourceSliceSpec>, old: Partial<ResourceSliceSpec> | undefined): FieldError[] {
  const { devices, driver, perDeviceNodeSelection, pool, sharedCounters } = spec;
  const before = new Map((old?.devices ?? []).map((device) => [device.name, device]));
  return [
    ...driverName(driver, specPath.child('driver')),
    ...validatePool(pool ?? {}, specPath.child('pool')),
    ...(old === undefined
      ? []
      : [
          ...immutable(specPath.child('pool', 'name'), pool?.name ?? '', old.pool?.name ?? ''),
          ...immutable(specPath.child('driver'), driver ?? '', old.driver ?? ''),
          ...immutable(specPath.child('nodeName'), spec.nodeName, old.nodeName),
        ]),
    ...validateNodes(spec),
    ...(isGiven(spec, 'sharedCounters') && isGiven(spec, 'devices')
      ? [invalidValue(specPath, '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...set<Device>(
      (devices ?? []).some(isAdvanced) ? maxAdvancedDevices : maxDevices,
      (device, path) =>
        validateDevice(
          device,
          { old: before.get(device.name), perDeviceNodeSelection: perDeviceNodeSelection === true },
          path,
        ),
      ({ name = '' }: Partial<Device>) => name,
    )(devices, specPath.child('devices')),
    ...set(
      maxCounterSets,
      counterSet,
      ({ name = '' }: Partial<CounterSet>) => name,
    )(sharedCounters, specPath.child('sharedCounters')),
  ];
}

const isAdvanced = ({ consumesCounters = [], taints = [] }: Device): boolean =>
  taints.length > 0 || consumesCounters.length > 0;

function validatePool(
  { generation = 0, name, resourceSliceCount = 0 }: Partial<ResourcePool>,
  path: FieldPath,
): FieldError[] {
  return [
    ...poolName(name, path.child('name')),
    ...(resourceSliceCount <= 0
      ? [invalidValue(path.child('resourceSliceCount'), resourceSliceCount, 'must be greater than zero')]
      : []),
    ...(generation < 0
      ? [invalidValue(path.child('generation'), generation, 'must be greater than or equal to zero')]
      : []),
  ];
}

/** On one node, on some, on all, or on the devices' own. */
function validateNodes({
  allNodes,
  nodeName: node,
  nodeSelector,
  perDeviceNodeSelection,
}: Partial<ResourceSliceSpec>): FieldError[] {
  const terms = nodeSelector?.nodeSelectorTerms ?? [];
  const given = [
    ...(node === undefined || node === '' ? [] : ['`nodeName`']),
    ...(nodeSelector === undefined ? [] : ['`nodeSelector`']),
    ...(allNodes === true ? ['`allNodes`'] : []),
    ...(perDeviceNodeSelection === true ? ['`perDeviceNodeSelection`'] : []),
  ];
  return [
    ...(node === ''
      ? [invalidValue(specPath.child('nodeName'), node, 'must be either unset or set to a non-empty string')]
      : present(nodeName)(node, specPath.child('nodeName'))),
    ...(nodeSelector === undefined ? [] : validateNodeSelector(nodeSelector, specPath.child('nodeSelector'))),
    ...(nodeSelector === undefined || terms.length === 1
      ? []
      : [
          invalidValue(
            specPath.child('nodeSelector', 'nodeSelectorTerms'),
            nodeSelector.nodeSelectorTerms === undefined || nodeSelector.nodeSelectorTerms === null
              ? null
              : terms.map((term) => internalForm('core.NodeSelectorTerm', term)),
            'must have exactly one node selector term',
          ),
        ]),
    ...(allNodes === false ? [invalidValue(specPath.child('allNodes'), false, trueOnly)] : []),
    ...(perDeviceNodeSelection === false
      ? [invalidValue(specPath.child('perDeviceNodeSelection'), false, trueOnly)]
      : []),
    ...(given.length === 0
      ? [required(specPath, oneOfThem)]
      : given.length > 1
        ? [invalidValue(specPath, `{${given.join(', ')}}`, `${oneOfThem}, but multiple fields are set`)]
        : []),
  ];
}

const counterSet: Rule<CounterSet> = (value: Partial<CounterSet>, path) => [
  ...needed(label)(value.name, path.child('name')),
  ...counters(value.counters, path.child('counters')),
];
