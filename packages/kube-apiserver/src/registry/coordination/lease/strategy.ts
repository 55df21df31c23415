import type { Lease, LeaseSpec } from '@kubechain/apimachinery/types/coordination/v1';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateLease } from './validation.ts';

/** Lease: what its spec's endpoint does beyond the generic registry. */
export const leaseStrategy = specStrategy({
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
  prepareForCreate: (lease) => {
    dropElection(lease as Lease);
  },
  prepareForUpdate: (lease, old) => {
    dropElection(lease as Lease, (old as Lease).spec);
  },
  ...validated({ create: validateLease, update: validateLease }),
});

/** Fields of coordinated leader election, which is off in the reference (an alpha feature), are not taken. */
function dropElection({ spec }: Lease, old?: LeaseSpec): void {
  if (spec === undefined) return;
  if (old?.strategy === undefined) delete spec.strategy;
  if (old?.preferredHolder === undefined) delete spec.preferredHolder;
}
