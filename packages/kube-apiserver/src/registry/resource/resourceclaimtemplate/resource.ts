import { resourceClaimTemplateStrategy } from './strategy.ts';
import { defaultOlderResourceClaimTemplate, defaultResourceClaimTemplate } from '../defaults.ts';
import { printResourceClaimTemplate } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves resourceclaimtemplates. */
export const resourceClaimTemplateResource = storedResource({
  group: 'resource.k8s.io',
  plural: 'resourceclaimtemplates',
  returnDeletedObject: true,
  strategy: ({ capabilities, storeOf }) => resourceClaimTemplateStrategy(() => storeOf('', 'namespaces'), capabilities),
  defaults: {
    v1: defaultResourceClaimTemplate,
    v1beta2: defaultResourceClaimTemplate,
    v1beta1: defaultOlderResourceClaimTemplate,
  },
  row: printResourceClaimTemplate,
});
