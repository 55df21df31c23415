import { customScheme, customStrategy, noneConverter, objectRules, VersionSchemas } from '@kubechain/apiextensions';
import type { CustomResourceDefinition } from '@kubechain/apiextensions';
import type { TimerClock } from '@kubechain/apimachinery';
import { resourceOf } from './built-in-subjects.ts';
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

/** A custom kind that has it all. */
export function customSubject(clock: TimerClock): Subject {
  const crd = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'pumps.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'pumps', singular: 'pump', kind: 'Pump', listKind: 'PumpList' },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
        },
      ],
    },
  } as unknown as CustomResourceDefinition;
  const { byVersion } = new VersionSchemas(crd, () => crd);
  const version = byVersion.get('example.com/v1')!;
  const scheme = customScheme(byVersion, noneConverter);
  const kind = scheme.kind(version.gvk)!;
  return {
    name: 'example.com/v1 Pump',
    kind,
    scheme,
    resource: resourceOf({
      scheme,
      storage: {} as never,
      strategy: customStrategy(version, { extraRules: objectRules }),
      kind: version.gvk,
      clock,
      custom: true,
      resource: 'pumps',
      namespaced: true,
    }),
  };
}
