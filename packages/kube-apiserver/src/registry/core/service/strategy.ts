import { nameIsDNSLabel } from '@kubechain/apimachinery';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** Service: what its spec's endpoint does beyond the generic registry. */
export const serviceStrategy = specStrategy({ status: true, allowCreateOnUpdate: true, validateName: nameIsDNSLabel });

/** Service's status endpoint. */
export const serviceStatusStrategy = statusStrategy();
