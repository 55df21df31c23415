import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** ValidatingAdmissionPolicy: what its spec's endpoint does beyond the generic registry. */
export const validatingAdmissionPolicyStrategy = specStrategy({ generation: 'spec', status: true, allowUnconditionalUpdate: false });

/** ValidatingAdmissionPolicy's status endpoint. */
export const validatingAdmissionPolicyStatusStrategy = statusStrategy({ resetMetadata: true });
