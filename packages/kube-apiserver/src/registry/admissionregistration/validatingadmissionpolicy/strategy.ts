import type { KubeObject } from '@kubechain/apimachinery';
import type { ValidatingAdmissionPolicy } from '@kubechain/apimachinery/types/admissionregistration/v1';
import type { Strategy } from '@kubechain/apiserver';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { paramKindErrors } from '../param-rights.ts';
import type { RightsContext } from '../param-rights.ts';
import { reservedNameWarnings } from '../reserved-names.ts';
import { validateValidatingPolicy, validateValidatingPolicyStatus } from './validation.ts';

/** ValidatingAdmissionPolicy: what its spec's endpoint does beyond the generic registry. */
export function validatingAdmissionPolicyStrategy(rights: RightsContext): Strategy {
  return specStrategy({
    generation: 'spec', status: true, allowUnconditionalUpdate: false, ...reservedNameWarnings,
    async validate(object: KubeObject, { request: { user } }) {
      const policy = object as ValidatingAdmissionPolicy;
      const errors = validateValidatingPolicy(policy);
      const kind = policy.spec?.paramKind;
      return errors.length > 0 || kind === undefined ? errors : paramKindErrors(kind, user, rights);
    },
    async validateUpdate(object: KubeObject, old: KubeObject, { request: { user } }) {
      const policy = object as ValidatingAdmissionPolicy, before = old as ValidatingAdmissionPolicy;
      const errors = validateValidatingPolicy(policy, before);
      const kind = policy.spec?.paramKind, known = before.spec?.paramKind;
      const unchanged = kind === undefined || (known !== undefined && known.kind === kind.kind && known.apiVersion === kind.apiVersion);
      return errors.length > 0 || unchanged ? errors : paramKindErrors(kind, user, rights);
    },
  });
}

/** ValidatingAdmissionPolicy's status endpoint. */
export const validatingAdmissionPolicyStatusStrategy = statusStrategy({ resetMetadata: true, hooks: { validateUpdate: (object) => validateValidatingPolicyStatus(object as ValidatingAdmissionPolicy) } });
