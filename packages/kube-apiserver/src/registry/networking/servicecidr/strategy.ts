import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateServiceCIDR, validateServiceCIDRUpdate } from './validation.ts';

/** ServiceCIDR: what its spec's endpoint does beyond the generic registry. */
export const serviceCIDRStrategy = ({ enabled }: Capabilities): Strategy =>
  specStrategy({
    status: enabled('ServiceCIDRStatusFieldWiping'),
    ...validated({ create: validateServiceCIDR, update: validateServiceCIDRUpdate }),
  });

/** ServiceCIDR's status endpoint. */
export const serviceCIDRStatusStrategy = statusStrategy({ resetMetadata: true });
