import type { MutatingAdmissionPolicy } from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import type { RightsContext } from '../param-rights.ts';
import { policyRights } from '../policy-rights.ts';
import { reservedNameWarnings } from '../reserved-names.ts';
import { validateMutatingPolicy } from './validation.ts';

/** MutatingAdmissionPolicy: what its spec's endpoint does beyond the generic registry. */
export function mutatingAdmissionPolicyStrategy(rights: RightsContext): Strategy {
  const checked = policyRights(
    (object, old) =>
      validateMutatingPolicy(object as MutatingAdmissionPolicy, old as MutatingAdmissionPolicy | undefined),
    rights,
  );
  return specStrategy({ generation: 'spec', allowUnconditionalUpdate: false, ...reservedNameWarnings, ...checked });
}
