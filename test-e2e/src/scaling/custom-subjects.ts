import type { CustomResourceDefinition } from '@kubechain/apiextensions';
import { servedForTests } from '@kubechain/apiextensions/testing';
import { builtinScheme } from '@kubechain/apimachinery';
import type { TimerClock } from '@kubechain/apimachinery';
import { subresourceStrategy } from '@kubechain/apiserver/resources';
import type { RESTStorage } from '@kubechain/apiserver/resources';
import { bodiesOf, resourceOf } from './built-in-subjects.ts';
import { HeldObject } from './held-object.ts';
import { Subresource } from './subresource.ts';
import type { Subject } from './subject.ts';

const formats = [
  'bsonobjectid',
  'uri',
  'email',
  'hostname',
  'ipv4',
  'ipv6',
  'cidr',
  'mac',
  'uuid',
  'uuid3',
  'uuid4',
  'uuid5',
  'isbn',
  'isbn10',
  'isbn13',
  'creditcard',
  'ssn',
  'hexcolor',
  'rgbcolor',
  'byte',
  'password',
  'date',
  'duration',
  'datetime',
  'date-time',
  'k8s-short-name',
  'k8s-long-name',
];
const pair = {
  type: 'object',
  properties: { name: { type: 'string' }, port: { type: 'integer' }, value: { type: 'string' } },
  required: ['name'],
};

/** A schema with every type of list and map, every format, and the odd ones. */
const properties = {
  ...Object.fromEntries(formats.map((format) => [`format-${format}`, { type: 'string', format }])),
  pattern: { type: 'string', pattern: '^([a-z0-9]+[.-]?)*[a-z]$' },
  limited: { type: 'string', minLength: 2, maxLength: 10, enum: ['a', 'b'] },
  ruled: {
    type: 'string',
    maxLength: 100,
    'x-kubernetes-validations': [{ rule: "self.trim().split('.').all(x, x.size() < 64)" }],
  },
  atomic: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
  set: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
  numbers: { type: 'array', items: { type: 'number' }, 'x-kubernetes-list-type': 'set' },
  unique: { type: 'array', items: pair, uniqueItems: false, maxItems: 5 },
  map: {
    type: 'array',
    items: { ...pair, required: ['name', 'port'] },
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['name', 'port'],
  },
  plain: { type: 'array', items: pair },
  texts: { type: 'object', additionalProperties: { type: 'string' } },
  objects: { type: 'object', additionalProperties: { ...pair, 'x-kubernetes-map-type': 'atomic' } },
  unknown: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  anything: { 'x-kubernetes-preserve-unknown-fields': true },
  embedded: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  'int-or-string': { 'x-kubernetes-int-or-string': true },
  defaulted: {
    type: 'array',
    items: {
      type: 'object',
      properties: { a: { type: 'string', default: 'b' }, b: { type: 'string', nullable: true } },
    },
  },
};

const version = {
  name: 'v1',
  served: true,
  storage: true,
  schema: {
    openAPIV3Schema: {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: {
            ...properties,
            replicas: { type: 'integer' },
            // Other texts have no shortest length: it is filled for itself.
            selector: { type: 'string', minLength: 0 },
          },
        },
        status: { type: 'object', properties: { ...properties, replicas: { type: 'integer' } } },
      },
    },
  },
  subresources: {
    status: {},
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.spec.selector',
    },
  },
};

/** A custom kind that has it all, its status and its scale. */
export function customSubjects(clock: TimerClock): Subject[] {
  const names = { plural: 'pumps', singular: 'pump', kind: 'Pump', listKind: 'PumpList' };
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'pumps.example.com' },
    spec: { group: 'example.com', scope: 'Namespaced', names, versions: [version] },
    status: { acceptedNames: names },
  } as unknown as CustomResourceDefinition;
  const stored = new HeldObject();
  const served = servedForTests(crd, { clock, restOptions: stored });
  const { scheme } = served;
  const gvk = { group: 'example.com', version: version.name, kind: names.kind };
  const kind = scheme.kind(gvk)!;
  const storageOf = (path: string): RESTStorage => served.resources.find((of) => of.path === path)!.load().storage;
  const store = served.store(version.name);
  const parent = { ...gvk, resource: names.plural, namespaced: true };
  const common = { scheme, kind: gvk, clock, custom: true, resource: names.plural, namespaced: true };
  const scale = Subresource.of({ ...common, parent, name: 'scale', storage: storageOf('pumps/scale'), stored })!;
  const status = storageOf('pumps/status');
  const isOfStatus: NonNullable<Subject['fills']> = ({ steps: [first] }) =>
    first?.kind === 'field' && first.name === 'status';
  return [
    {
      name: 'example.com/v1 Pump',
      kind,
      scheme,
      fills: (place) => !isOfStatus(place),
      resource: resourceOf({ ...common, storage: store, strategy: store.strategy, subresources: [scale] }),
    },
    {
      name: 'example.com/v1 pumps/status',
      kind,
      scheme,
      fills: isOfStatus,
      subresource: 'pumps/status',
      resource: resourceOf({
        ...common,
        storage: status,
        strategy: subresourceStrategy(status)!,
        subresource: 'status',
      }),
    },
    ...bodiesOf(scale, parent, builtinScheme()),
  ];
}
