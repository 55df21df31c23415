import { goQuote } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Device, ResourceSlice } from '@kubechain/apimachinery/types/resource/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { dropGatedFields } from '../../gated-fields.ts';
import type { GatedField } from '../../gated-fields.ts';
import { hasChanged, specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateResourceSlice, validateResourceSliceUpdate } from './validation.ts';

const devices = ({ spec }: ResourceSlice): readonly Device[] => spec?.devices ?? [];
const attributes = (slice: ResourceSlice): readonly unknown[] =>
  devices(slice).flatMap((device) => Object.values(device.attributes ?? {}));

/** What features brought to slices (pkg/registry/resource/resourceslice, 1.34 to 1.37). */
const gated: readonly GatedField<ResourceSlice>[] = [
  { gate: 'DRADeviceTaints', field: 'taints', owners: devices },
  { gate: 'DRAPartitionableDevices', field: 'sharedCounters', owners: ({ spec }) => [spec] },
  { gate: 'DRAPartitionableDevices', field: 'perDeviceNodeSelection', owners: ({ spec }) => [spec] },
  ...['consumesCounters', 'nodeName', 'nodeSelector', 'allNodes'].map(
    (field) => ({ gate: 'DRAPartitionableDevices', field, owners: devices }) as const,
  ),
  ...['bindingConditions', 'bindingFailureConditions', 'bindsToNode'].map(
    (field) => ({ gate: 'DRADeviceBindingConditions', field, owners: devices }) as const,
  ),
  { gate: 'DRAConsumableCapacity', field: 'allowMultipleAllocations', owners: devices },
  {
    gate: 'DRAConsumableCapacity',
    field: 'requestPolicy',
    owners: (slice) => devices(slice).flatMap(({ capacity = {} }) => Object.values(capacity)),
  },
  // DRANodeAllocatableResources
  { field: 'nodeAllocatableResourceMappings', owners: devices },
  // DRAListTypeAttributes
  ...['bools', 'ints', 'strings', 'versions'].map((field) => ({ field, owners: attributes })),
];

function driverWarnings(slice: KubeObject): string[] {
  const { driver = '' } = (slice as Partial<ResourceSlice>).spec ?? {};
  return driver === driver.toLowerCase()
    ? []
    : [`spec.driver: driver names should be lowercase; ${goQuote(driver)} contains uppercase characters`];
}

/** ResourceSlice: what its spec's endpoint does beyond the generic registry. */
export function resourceSliceStrategy({ enabled }: Capabilities): Strategy {
  return specStrategy({
    ...validated({ create: validateResourceSlice, update: validateResourceSliceUpdate }),
    generation: 'creation',
    warningsOnCreate: driverWarnings,
    warningsOnUpdate: driverWarnings,
    prepareForCreate: (slice) => {
      dropGatedFields(gated, slice as ResourceSlice, { enabled, old: undefined });
    },
    // The generation counts what was asked for, before anything is taken off.
    prepareForUpdate: (slice, old) => {
      if (slice.metadata !== undefined && hasChanged('spec', slice, old))
        slice.metadata.generation = (old.metadata?.generation ?? 0) + 1;
      dropGatedFields(gated, slice as ResourceSlice, { enabled, old: old as ResourceSlice });
    },
  });
}
