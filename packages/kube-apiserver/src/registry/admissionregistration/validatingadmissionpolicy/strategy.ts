import type { ValidatingAdmissionPolicy } from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import type { RightsContext } from '../param-rights.ts';
import { policyRights } from '../policy-rights.ts';
import { reservedNameWarnings } from '../reserved-names.ts';
import { validateValidatingPolicy, validateValidatingPolicyStatus } from './validation.ts';

/** ValidatingAdmissionPolicy: what its spec's endpoint does beyond the generic registry. */
export function validatingAdmissionPolicyStrategy(rights: RightsContext): Strategy {
  const checked = policyRights(
    (object, old) =>
      validateValidatingPolicy(object as ValidatingAdmissionPolicy, old as ValidatingAdmissionPolicy | undefined),
    rights,
  );
  return specStrategy({
    generation: 'spec',
    status: true,
    allowUnconditionalUpdate: false,
    ...reservedNameWarnings,
    ...checked,
  });
}

/** ValidatingAdmissionPolicy's status endpoint. */
export const validatingAdmissionPolicyStatusStrategy = statusStrategy({
  resetMetadata: true,
  hooks: {
    allowUnconditionalUpdate: false,
    updateChecksMetadata: [],
    validateUpdate: (object) => validateValidatingPolicyStatus(object as ValidatingAdmissionPolicy),
  },
});
