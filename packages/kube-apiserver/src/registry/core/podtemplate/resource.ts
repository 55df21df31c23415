import { podTemplateStrategy } from './strategy.ts';
import { defaultPodTemplate } from './defaults.ts';
import { printPodTemplate } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves podtemplates. */
export const podTemplateResource = storedResource({
  group: '',
  plural: 'podtemplates',
  returnDeletedObject: true,
  strategy: (context) => podTemplateStrategy(context.capabilities),
  defaults: { v1: defaultPodTemplate },
  row: printPodTemplate,
});
