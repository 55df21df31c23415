import type { AdmissionAttributes } from '@kubechain/apiserver/resources';
import type { PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import type { CheckedPod } from './check.ts';

interface WithTemplate {
  readonly template?: PodTemplateSpec;
}
interface Templated extends WithTemplate {
  readonly spec?: WithTemplate & { readonly jobTemplate?: { readonly spec?: WithTemplate } };
}

const inSpec = (object: Templated): PodTemplateSpec | undefined => object.spec?.template;

/** Where kinds that make pods keep the template: `<plural>.<group>`. */
const templates: ReadonlyMap<string, (object: Templated) => PodTemplateSpec | undefined> = new Map([
  ['podtemplates.', (object: Templated) => object.template],
  ['replicationcontrollers.', inSpec],
  ['replicasets.apps', inSpec],
  ['deployments.apps', inSpec],
  ['statefulsets.apps', inSpec],
  ['daemonsets.apps', inSpec],
  ['jobs.batch', inSpec],
  ['cronjobs.batch', (object: Templated) => object.spec?.jobTemplate?.spec?.template],
]);

/**
 * The template of the pods that the written object stands for; undefined for kinds that make none, and where there is
 * none.
 */
export function podTemplateOf({ object, resource }: AdmissionAttributes): CheckedPod | undefined {
  const template = templates.get(`${resource.resource}.${resource.group}`)?.(object as Templated);
  return template?.spec === undefined ? undefined : { ...template, spec: template.spec };
}

/** Whether objects of this resource may have a template of pods. */
export function makesPods({ resource }: AdmissionAttributes): boolean {
  return templates.has(`${resource.resource}.${resource.group}`);
}
