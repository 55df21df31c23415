import type { KubeObject } from '@kubechain/apimachinery';
import type { ResourceClaimSpec, ResourceClaimTemplate } from '@kubechain/apimachinery/types/resource/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { dropGatedFields } from '../../gated-fields.ts';
import { specStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { gatedClaimSpecFields } from '../gated-claim-fields.ts';
import { checkAdminRequests, type Namespaces } from '../resourceclaim/admin-access.ts';
import { validateResourceClaimTemplate, validateResourceClaimTemplateUpdate } from './validation.ts';

/** ResourceClaimTemplate: what its spec's endpoint does beyond the generic registry. */
export function resourceClaimTemplateStrategy(namespaces: Namespaces, { enabled }: Capabilities): Strategy {
  const specOf = (template: KubeObject): Partial<ResourceClaimSpec> =>
    (template as ResourceClaimTemplate).spec?.spec ?? {};
  return specStrategy({
    prepareForCreate: (template) => {
      dropGatedFields(gatedClaimSpecFields, specOf(template), { enabled, old: undefined });
    },
    prepareForUpdate: (template, old) => {
      dropGatedFields(gatedClaimSpecFields, specOf(template), { enabled, old: specOf(old) });
    },
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
