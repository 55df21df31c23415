import type { ResourceClaimTemplate } from '@kubechain/apimachinery/types/resource/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { checkAdminRequests, type Namespaces } from '../resourceclaim/admin-access.ts';
import { validateResourceClaimTemplate, validateResourceClaimTemplateUpdate } from './validation.ts';

/** ResourceClaimTemplate: what its spec's endpoint does beyond the generic registry. */
export function resourceClaimTemplateStrategy(namespaces: Namespaces): Strategy {
  return specStrategy({
    ...validated({ update: validateResourceClaimTemplateUpdate }),
    validate: async (object, context) => {
      const template = object as Partial<ResourceClaimTemplate>;
      return [
        ...(await checkAdminRequests(template.spec?.spec?.devices?.requests, context, namespaces)),
        ...validateResourceClaimTemplate(template),
      ];
    },
  });
}
