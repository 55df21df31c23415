import { specStrategy } from '../../spec-strategy.ts';

/** ValidatingAdmissionPolicyBinding: what its spec's endpoint does beyond the generic registry. */
export const validatingAdmissionPolicyBindingStrategy = specStrategy({ generation: 'spec', allowUnconditionalUpdate: false });
