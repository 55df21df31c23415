import { validateIP, FieldPath } from '@kubechain/apimachinery';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateIPAddress, validateIPAddressChange } from './validation.ts';

/** IPAddress: what its spec's endpoint does beyond the generic registry. Its name is the address. */
export const ipAddressStrategy = specStrategy({
  validateName: (name) => validateIP(FieldPath.root, name).map(({ detail }) => detail),
  ...validated({ create: validateIPAddress, update: validateIPAddress, change: validateIPAddressChange }),
});
