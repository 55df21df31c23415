import type { Lease, LeaseSpec } from '@kubechain/apimachinery/types/coordination/v1';
import type { TableCell } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateLease } from './validation.ts';
import { ageOf, nameOf } from '../../table/printer.ts';
import { storedResource } from '../../resource.ts';

/** Fields of coordinated leader election are not taken while its gate is off. */
function dropElection({ spec }: Lease, old?: LeaseSpec): void {
  if (spec === undefined) return;
  if (old?.strategy === undefined) delete spec.strategy;
  if (old?.preferredHolder === undefined) delete spec.preferredHolder;
}

/** Serves leases. */
export const leaseResource = storedResource({
  group: 'coordination.k8s.io',
  plural: 'leases',
  anyFinalizers: true,
  strategy: ({ featureEnabled }) =>
    specStrategy({
      allowCreateOnUpdate: true,
      allowUnconditionalUpdate: false,
      prepareForCreate: (lease) => {
        if (!featureEnabled('CoordinatedLeaderElection')) dropElection(lease as Lease);
      },
      prepareForUpdate: (lease, old) => {
        if (!featureEnabled('CoordinatedLeaderElection')) dropElection(lease as Lease, (old as Lease).spec);
      },
      ...validated({ create: validateLease, update: validateLease }),
    }),
  row: (lease: Lease): TableCell[] => [nameOf(lease), lease.spec?.holderIdentity ?? '', ageOf(lease)],
});
