import type { KubeObject } from '../../object/object.ts';
import { ensureMeta } from '../../meta/accessors.ts';
import { viewConverters } from './views.ts';
import type { Data, KindView } from './views.ts';
import { dataOf } from './views.ts';

/*
 * What apps/v1 keeps in annotations was a field before: pkg/apis/apps/v1/conversion.go, pkg/apis/apps/v1beta1 and
 * pkg/apis/extensions/v1beta1, Kubernetes 1.36.
 */

const rollbackTo = 'deprecated.deployment.rollback.to';
const templateGeneration = 'deprecated.daemonset.template.generation';

const hub = { group: 'apps', version: 'v1' };
const extensions = { group: 'extensions', version: 'v1beta1' };
const appsV1beta1 = { group: 'apps', version: 'v1beta1' };

const withRollback: Pick<Required<KindView>, 'toHub' | 'fromHub'> = {
  toHub: (deployment) => {
    const spec = dataOf(deployment['spec']);
    const wanted = dataOf(spec?.['rollbackTo']);
    delete spec?.['rollbackTo'];
    if (wanted !== undefined) annotationsOf(deployment)[rollbackTo] = `${numberOf(wanted['revision'])}`;
    else deleteAnnotation(deployment, rollbackTo);
    return deployment;
  },
  fromHub: (deployment) => {
    const revision = integer(takeAnnotation(deployment, rollbackTo));
    if (revision !== undefined) specOf(deployment)['rollbackTo'] = revision === 0 ? {} : { revision };
    return deployment;
  },
};

const withTemplateGeneration: Pick<Required<KindView>, 'toHub' | 'fromHub'> = {
  toHub: (set) => {
    const spec = dataOf(set['spec']);
    annotationsOf(set)[templateGeneration] = `${numberOf(spec?.['templateGeneration'])}`;
    delete spec?.['templateGeneration'];
    return set;
  },
  fromHub: (set) => {
    const generation = integer(takeAnnotation(set, templateGeneration));
    if (generation !== undefined && generation !== 0) specOf(set)['templateGeneration'] = generation;
    return set;
  },
};

/** Deployments and daemon sets; other kinds of the group say the same in all its versions. */
export const workloadConverters = [
  ...viewConverters('Deployment', hub, [
    { ...extensions, ...withRollback },
    { ...appsV1beta1, ...withRollback },
    { group: 'apps', version: 'v1beta2' },
  ]),
  ...viewConverters('DaemonSet', hub, [
    { ...extensions, ...withTemplateGeneration },
    { group: 'apps', version: 'v1beta2' },
  ]),
];

function specOf(object: Data): Data {
  return (object['spec'] ??= {}) as Data;
}

function annotationsOf(object: Data): Record<string, string> {
  return (ensureMeta(object as KubeObject).annotations ??= {});
}

function deleteAnnotation(object: Data, name: string): void {
  const metadata = (object as KubeObject).metadata;
  if (metadata?.annotations?.[name] === undefined) return;
  delete metadata.annotations[name];
  if (Object.keys(metadata.annotations).length === 0) delete metadata.annotations;
}

function takeAnnotation(object: Data, name: string): string | undefined {
  const text = (object as KubeObject).metadata?.annotations?.[name];
  if (integer(text) !== undefined) deleteAnnotation(object, name);
  return text;
}

function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^[+-]?\d+$/.test(text) ? Number(text) : undefined;
}
