import { specStrategy } from '../../spec-strategy.ts';

/** MutatingAdmissionPolicyBinding: what its spec's endpoint does beyond the generic registry. */
export const mutatingAdmissionPolicyBindingStrategy = specStrategy({ generation: 'spec', allowUnconditionalUpdate: false });
