import {
  VersionSchemas,
  customScheme,
  customStrategy,
  encodeCustom,
  noneConverter,
  objectRules,
  parseCustom,
} from '@kubechain/apiextensions';
import { systemClock, decodeRecord, encodeStoredJSON, encodingSchema } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Strategy } from '@kubechain/apiserver/resources';
import { pod } from '@kubechain/apimachinery/testing';
import {
  builtInScheme,
  capabilitiesOf,
  configMapStrategy,
  deploymentStrategy,
  podStrategy,
} from '@kubechain/kube-apiserver';
import { backup, backupDefinition, configMap, deployment } from './objects.ts';
import type { SubjectOptions } from './subject.ts';

const unprivileged = capabilitiesOf({ allowPrivileged: false });

/** Built-in kinds with much and with little structure, and a custom resource. */
export function subjects(): SubjectOptions[] {
  return [
    {
      ...builtin('', 'v1', 'Pod', podStrategy({ capabilities: unprivileged, clock: systemClock })),
      name: 'pod',
      object: applied(pod() as KubeObject),
      change: (object) => {
        setImage(object['spec'] as PodSpec);
      },
    },
    {
      ...builtin('apps', 'v1', 'Deployment', deploymentStrategy(unprivileged)),
      name: 'deployment',
      object: deployment(),
      change: (object) => {
        setImage((object['spec'] as { template: { spec: PodSpec } }).template.spec);
      },
    },
    {
      ...builtin('', 'v1', 'ConfigMap', configMapStrategy),
      name: 'config map',
      object: configMap(),
      change: (object) => {
        (object['data'] as Record<string, string>)['level'] = 'debug';
      },
    },
    {
      ...custom(),
      name: 'custom resource',
      object: backup(),
      change: (object) => {
        (object['spec'] as { schedule: string }).schedule = '30 4 * * *';
      },
    },
  ];
}

interface PodSpec {
  containers: { image: string }[];
}

function setImage({ containers }: PodSpec): void {
  for (const container of containers.slice(0, 1)) container.image = 'registry.example.com/team/web:v1.27.4';
}

/** Configurations give no generateName. */
function applied(object: KubeObject): KubeObject {
  delete object.metadata?.generateName;
  return object;
}

type Kind = Pick<SubjectOptions, 'gvk' | 'scheme' | 'strategy' | 'custom' | 'parse' | 'encode'>;

function builtin(group: string, version: string, kind: string, strategy: Strategy): Kind {
  const scheme = builtInScheme({ now: () => 1_700_000_000_000 });
  const gvk = { group, version, kind };
  const schema = encodingSchema(scheme.kind(gvk));
  return {
    gvk,
    scheme,
    strategy,
    custom: false,
    parse: decodeRecord,
    encode: (object) => encodeStoredJSON(object, schema),
  };
}

function custom(): Kind {
  const schemas = new VersionSchemas(backupDefinition, () => backupDefinition).byVersion;
  const [schema] = schemas.values();
  if (schema === undefined) throw new TypeError('the definition has no version');
  return {
    gvk: schema.gvk,
    scheme: customScheme(schemas, noneConverter),
    strategy: customStrategy(schema, { extraRules: objectRules }),
    custom: true,
    parse: parseCustom,
    encode: encodeCustom,
  };
}
