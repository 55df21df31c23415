import type { ResourceClaim, ResourceClaimSpec } from '@kubechain/apimachinery/types/resource/v1';
import type { GatedField } from '../gated-fields.ts';

type Spec = Partial<ResourceClaimSpec>;

/** What is asked for, exactly or as one of several. */
function requests({ devices }: Spec): readonly unknown[] {
  return (devices?.requests ?? []).flatMap(({ exactly, firstAvailable = [] }) => [exactly, ...firstAvailable]);
}

/** What features brought to specs of claims (pkg/api/resourceclaimspec, 1.34 to 1.37). */
export const gatedClaimSpecFields: readonly GatedField<Spec>[] = [
  { gate: 'DRADeviceTaints', field: 'tolerations', owners: requests },
  { gate: 'DRAConsumableCapacity', field: 'capacity', owners: requests },
  { gate: 'DRAConsumableCapacity', field: 'distinctAttribute', owners: ({ devices }) => devices?.constraints ?? [] },
];

const results = ({ status }: ResourceClaim): readonly unknown[] => status?.allocation?.devices?.results ?? [];

/** What features brought to their status (pkg/registry/resource/resourceclaim, 1.34 to 1.37). */
export const gatedClaimStatusFields: readonly GatedField<ResourceClaim>[] = [
  { gate: 'DRAConsumableCapacity', field: 'shareID', owners: results },
  { gate: 'DRAConsumableCapacity', field: 'consumedCapacity', owners: results },
  { gate: 'DRAConsumableCapacity', field: 'shareID', owners: ({ status }) => status?.devices ?? [] },
  { gate: 'DRADeviceBindingConditions', field: 'bindingConditions', owners: results },
  { gate: 'DRADeviceBindingConditions', field: 'bindingFailureConditions', owners: results },
];
