import { nameIsPathSegment } from '@kubechain/apimachinery';
import { specStrategy } from '../../spec-strategy.ts';

/** RoleBinding: what its spec's endpoint does beyond the generic registry. */
export const roleBindingStrategy = specStrategy({ allowCreateOnUpdate: true, validateName: nameIsPathSegment });
