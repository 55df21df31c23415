import type { ValidatingAdmissionPolicy } from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import type { RegistryContext } from '../../storage-provider.ts';
import type { RightsContext } from '../param-rights.ts';
import { policyRights } from '../policy-rights.ts';
import { withReservedNames } from '../reserved-names.ts';
import { validateValidatingPolicy, validateValidatingPolicyStatus } from './validation.ts';

/** ValidatingAdmissionPolicy: what its spec's endpoint does beyond the generic registry. */
export function validatingAdmissionPolicyStrategy(
  context: RightsContext & Pick<RegistryContext, 'featureEnabled' | 'release'>,
): Strategy {
  const checked = policyRights(
    (object, old) =>
      validateValidatingPolicy(
        object as ValidatingAdmissionPolicy,
        old as ValidatingAdmissionPolicy | undefined,
        context.release,
      ),
    context,
  );
  return withReservedNames(
    specStrategy({ generation: 'spec', status: true, allowUnconditionalUpdate: false, ...checked }),
    context,
  );
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
