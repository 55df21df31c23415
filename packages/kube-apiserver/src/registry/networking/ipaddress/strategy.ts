import { isIP } from 'node:net';
import { specStrategy } from '../../spec-strategy.ts';

/** IPAddress: what its spec's endpoint does beyond the generic registry. */
export const ipAddressStrategy = specStrategy({ validateName: (name) => (isIP(name) === 0 ? ['must be a valid IP address'] : []) });
