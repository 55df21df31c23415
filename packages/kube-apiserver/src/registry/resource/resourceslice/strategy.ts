import { goQuote } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { DeviceAttribute, ResourceSlice } from '@kubechain/apimachinery/types/resource/v1';
import { hasChanged, specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateResourceSlice, validateResourceSliceUpdate } from './validation.ts';

const listAttributes = ['bools', 'ints', 'strings', 'versions'] as const satisfies readonly (keyof DeviceAttribute)[];

/**
 * Takes off what is behind feature gates that are off in 1.36: attributes that are lists, and what devices cost their
 * nodes; unless the old slice has it.
 */
function dropDisabledFields(slice: ResourceSlice, old?: ResourceSlice): void {
  const before = old?.spec?.devices ?? [];
  const keepsLists = before.some(({ attributes = {} }) =>
    Object.values(attributes).some((attribute) => listAttributes.some((name) => attribute[name] !== undefined)),
  );
  const keepsMappings = before.some(
    ({ nodeAllocatableResourceMappings: mappings = {} }) => Object.keys(mappings).length > 0,
  );
  for (const device of slice.spec?.devices ?? []) {
    if (!keepsMappings) delete device.nodeAllocatableResourceMappings;
    if (keepsLists) continue;
    for (const attribute of Object.values(device.attributes ?? {}))
      for (const name of listAttributes) delete attribute[name];
  }
}

function driverWarnings(slice: KubeObject): string[] {
  const { driver = '' } = (slice as Partial<ResourceSlice>).spec ?? {};
  return driver === driver.toLowerCase()
    ? []
    : [`spec.driver: driver names should be lowercase; ${goQuote(driver)} contains uppercase characters`];
}

/** ResourceSlice: what its spec's endpoint does beyond the generic registry. */
export const resourceSliceStrategy = specStrategy({
  ...validated({ create: validateResourceSlice, update: validateResourceSliceUpdate }),
  generation: 'creation',
  warningsOnCreate: driverWarnings,
  warningsOnUpdate: driverWarnings,
  prepareForCreate: (slice) => {
    dropDisabledFields(slice as ResourceSlice);
  },
  // The generation counts what was asked for, before anything is taken off.
  prepareForUpdate: (slice, old) => {
    if (slice.metadata !== undefined && hasChanged('spec', slice, old))
      slice.metadata.generation = (old.metadata?.generation ?? 0) + 1;
    dropDisabledFields(slice as ResourceSlice, old as ResourceSlice);
  },
});
