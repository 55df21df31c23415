import { isConfigMapKey } from '@kubechain/apimachinery';
import type { TableCell } from '@kubechain/apiserver/resources';
import { storedResource } from '../../resource.ts';
import { specStrategy } from '../../spec-strategy.ts';
import { ageOf, nameOf } from '../../table/printer.ts';
import { validated } from '../../validation/validate.ts';
import type { LeaseCandidate } from './lease-candidate.ts';
import { validateLeaseCandidate, validateLeaseCandidateUpdate } from './validation.ts';

/** Serves leasecandidates. */
export const leaseCandidateResource = storedResource({
  group: 'coordination.k8s.io',
  plural: 'leasecandidates',
  anyFinalizers: true,
  strategy: specStrategy({
    allowCreateOnUpdate: true,
    allowUnconditionalUpdate: false,
    validateName: isConfigMapKey,
    ...validated({ create: validateLeaseCandidate, update: validateLeaseCandidateUpdate }),
  }),
  row: (candidate: LeaseCandidate): TableCell[] => [
    nameOf(candidate),
    candidate.spec?.leaseName ?? '',
    candidate.spec?.binaryVersion ?? '',
    candidate.spec?.emulationVersion ?? '',
    ageOf(candidate),
  ],
});
