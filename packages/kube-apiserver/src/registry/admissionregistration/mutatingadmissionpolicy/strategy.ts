import { specStrategy } from '../../spec-strategy.ts';

/** MutatingAdmissionPolicy: what its spec's endpoint does beyond the generic registry. */
export const mutatingAdmissionPolicyStrategy = specStrategy({ generation: 'spec', allowUnconditionalUpdate: false });
