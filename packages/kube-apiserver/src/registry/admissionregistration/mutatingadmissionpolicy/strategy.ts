import type { MutatingAdmissionPolicy } from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import type { RegistryContext } from '../../storage-provider.ts';
import type { RightsContext } from '../param-rights.ts';
import { policyRights } from '../policy-rights.ts';
import { withReservedNames } from '../reserved-names.ts';
import { validateMutatingPolicy } from './validation.ts';

/** MutatingAdmissionPolicy: what its spec's endpoint does beyond the generic registry. */
export function mutatingAdmissionPolicyStrategy(
  context: RightsContext & Pick<RegistryContext, 'featureEnabled' | 'release'>,
): Strategy {
  const checked = policyRights(
    (object, old) =>
      validateMutatingPolicy(
        object as MutatingAdmissionPolicy,
        old as MutatingAdmissionPolicy | undefined,
        context.release,
      ),
    context,
  );
  return withReservedNames(specStrategy({ generation: 'spec', allowUnconditionalUpdate: false, ...checked }), context);
}
