import type { ObjectMap, Value, Values } from '../values.ts';
import type { Changes, StoryKind } from './kinds.ts';

const object = (properties: ObjectMap, more: ObjectMap = {}): ObjectMap => ({ type: 'object', properties, ...more });
const string: ObjectMap = { type: 'string' };

/** Rules of a spec, of which definitions have some. */
const RULES: readonly (ObjectMap & { readonly rule: string })[] = [
  { rule: 'self.n <= 8', message: 'too large' },
  { rule: 'self.s == oldSelf.s', message: 's stays', reason: 'FieldValueForbidden', fieldPath: '.s' },
  { rule: '!has(self.set) || self.set.all(x, x.size() < 4)', messageExpression: "'set of ' + string(self.set.size())" },
  { rule: '!oldSelf.hasValue() || self.replicas >= oldSelf.value().replicas', optionalOldSelf: true },
  { rule: '!has(self.list) || self.list.exists_one(x, x.k == "a")', fieldPath: '.list' },
  { rule: '!has(self.when) || self.when > timestamp("2020-01-01T00:00:00Z")' },
  { rule: '!has(self.am) || !has(self.am.x) || self.am.x != self.s', reason: 'FieldValueDuplicate' },
  { rule: 'has(self.q) ? self.q != "bad" : true', messageExpression: 'self.q' },
  { rule: '!has(self.ios) || type(self.ios) == int || quantity(self.ios).isGreaterThan(quantity("1"))' },
  { rule: '!has(self.free) || !has(self.free.a)' },
];

const PROPERTIES: ObjectMap = {
  n: { type: 'integer', minimum: 0, maximum: 10, default: 3 },
  s: { type: 'string', enum: ['a', 'b', 'c'], default: 'a' },
  p: { type: 'string', pattern: '^[a-z]+$', maxLength: 5 },
  list: {
    type: 'array',
    maxItems: 5,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k', 'p'],
    items: object(
      {
        k: string,
        p: { type: 'string', default: 'TCP' },
        v: { type: 'integer', format: 'int32' },
        d: { type: 'integer', default: 1 },
      },
      { required: ['k'] },
    ),
  },
  set: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 10 }, 'x-kubernetes-list-type': 'set' },
  atomic: { type: 'array', maxItems: 3, items: { type: 'number' }, 'x-kubernetes-list-type': 'atomic' },
  m: { type: 'object', additionalProperties: string, maxProperties: 3 },
  mo: { type: 'object', additionalProperties: object({ a: { type: 'integer', default: 7 }, b: string }) },
  am: object({ x: string, y: string }, { 'x-kubernetes-map-type': 'atomic' }),
  free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: { known: { type: 'integer' } } },
  emb: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  q: { type: 'string', nullable: true },
  qd: { type: 'string', nullable: true, default: 'z' },
  when: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  ip: { type: 'string', format: 'ipv4' },
  bytes: { type: 'string', format: 'byte' },
  num: { type: 'number', multipleOf: 0.5, exclusiveMinimum: true, minimum: -1 },
  ios: { 'x-kubernetes-int-or-string': true },
  replicas: { type: 'integer', default: 1 },
  one: object({ a: string, b: string }, { oneOf: [{ required: ['a'] }, { required: ['b'] }], maxProperties: 2 }),
  deep: object({ x: object({ y: { type: 'boolean', default: true } }, { default: {} }) }),
};

/** Where an object of the defined kind is changed, and to what. */
const CHANGES: Changes = {
  'spec.n': [0, 3, 9, 11, -1, '3', null, undefined],
  'spec.s': ['a', 'b', 'd', null, undefined],
  'spec.p': ['abc', 'ABC', 'abcdef', undefined],
  'spec.list': [
    [{ k: 'a' }],
    [
      { k: 'a', v: 1 },
      { k: 'b', p: 'UDP', v: 2 },
    ],
    [
      { k: 'b', v: 3 },
      { k: 'a', d: 5 },
      { k: 'a', p: 'UDP' },
    ],
    [{ k: 'a' }, { k: 'a', p: 'TCP' }],
    [{ v: 1 }],
    [null],
    [],
    undefined,
  ],
  'spec.list.0.v': [5, 1.5, 3_000_000_000, undefined],
  'spec.set': [['a'], ['b', 'a'], ['a', 'a'], ['long'], [], undefined],
  'spec.atomic': [[1, 2.5], [2], ['x'], [1, 2, 3, 4], undefined],
  'spec.m': [{ a: 'b' }, { a: 'c', d: 'e' }, { a: null }, { a: 1 }, undefined],
  'spec.m.z': ['1', undefined],
  'spec.mo': [{ a: {} }, { a: { a: 1 }, b: { b: 'x' } }, { a: null }, undefined],
  'spec.am': [{ x: 'a' }, { y: 'b' }, { x: 'a', z: 'unknown' }, undefined],
  'spec.free': [{ a: [1, { b: 2.5 }] }, { known: 1, x: { y: null } }, { known: 'x' }, undefined],
  'spec.emb': [
    { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', labels: { a: 'b' } } },
    { kind: 'X' },
    { apiVersion: 'v1', kind: 'X', metadata: { name: 'A_', bad: 1 } },
    undefined,
  ],
  'spec.q': ['x', 'bad', null, undefined],
  'spec.qd': ['x', null, undefined],
  'spec.when': ['2020-05-01T00:00:00Z', '2019-05-01T00:00:00+02:00', 'x', undefined],
  'spec.date': ['2020-05-01', '2020-13-01', undefined],
  'spec.ip': ['1.2.3.4', '::1', undefined],
  'spec.bytes': ['YQ==', '!', undefined],
  'spec.num': [1.5, 0.3, -1, 1e30, undefined],
  'spec.ios': [5, '5Gi', 'x', 1.5, undefined],
  'spec.replicas': [0, 1, 2, 5, undefined],
  'spec.one': [{ a: 'x' }, { a: 'x', b: 'y' }, {}, undefined],
  'spec.deep': [{}, { x: { y: false } }, undefined],
  'spec.unknown': [1, undefined],
  'spec.later': ['x', undefined],
  status: [{ phase: 'A' }, undefined],
  top: ['x', undefined],
};

const STATUS: Changes = {
  'status.phase': ['A', 'B', 'C', undefined],
  'status.replicas': [0, 1, 3, -1, undefined],
  'status.selector': ['a=b', undefined],
  'status.conditions': [
    [{ type: 'A', status: 'True' }],
    [
      { type: 'B', status: 'False' },
      { type: 'A', status: 'X' },
    ],
    undefined,
  ],
  'status.unknown': [1],
  'spec.n': [4],
};

function versionOf(name: string, values: Values, isStorage: boolean): ObjectMap {
  const properties: ObjectMap = {};
  for (const [property, schema] of Object.entries(PROPERTIES))
    if (['n', 's', 'replicas'].includes(property) || values.chance(0.6)) properties[property] = structuredClone(schema);
  const rules = RULES.filter(
    ({ rule }) =>
      values.chance(0.4) &&
      [...rule.matchAll(/[sS]elf\.(?:value\(\)\.)?(\w+)/g)].every(
        ([, of = '']) => of in properties || of === 'hasValue' || of === 'value',
      ),
  );
  const spec = object(properties, {
    ...(rules.length > 0 ? { 'x-kubernetes-validations': structuredClone(rules) as Value } : {}),
    ...(values.chance(0.3) ? { default: {} } : {}),
  });
  const status = object({
    phase: { type: 'string', enum: ['A', 'B'] },
    replicas: { type: 'integer', minimum: 0 },
    selector: string,
    conditions: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
      items: object({ type: string, status: { type: 'string', enum: ['True', 'False'] } }, { required: ['type'] }),
    },
  });
  return {
    name,
    served: true,
    storage: isStorage,
    schema: { openAPIV3Schema: object({ spec, status }, values.chance(0.3) ? { required: ['spec'] } : {}) },
    ...(values.chance(0.7)
      ? {
          subresources: {
            ...(values.chance(0.8) ? { status: {} } : {}),
            ...(values.chance(0.7)
              ? {
                  scale: {
                    specReplicasPath: '.spec.replicas',
                    statusReplicasPath: '.status.replicas',
                    ...(values.chance(0.5) ? { labelSelectorPath: '.status.selector' } : {}),
                  },
                }
              : {}),
          },
        }
      : {}),
    ...(values.chance(0.6)
      ? {
          additionalPrinterColumns: [
            { name: 'N', type: 'integer', jsonPath: '.spec.n' },
            { name: 'S', type: 'string', jsonPath: '.spec.list[*].k', priority: 1 },
            { name: 'When', type: 'date', jsonPath: '.metadata.creationTimestamp' },
            { name: 'P', type: 'string', jsonPath: '.status.phase', description: 'd' },
          ],
        }
      : {}),
    ...(values.chance(0.6) ? { selectableFields: [{ jsonPath: '.spec.s' }, { jsonPath: '.spec.n' }] } : {}),
  };
}

/** A definition of chance, and the kind that it defines. */
export function definitionOf(
  namespace: string,
  values: Values,
): { readonly definition: ObjectMap; readonly kind: StoryKind } {
  const group = `${namespace}.example.com`;
  const names = values.chance(0.6) ? ['v1', 'v2'] : ['v1'];
  const storage = values.pick(names);
  const definition: ObjectMap = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `things.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: {
        plural: 'things',
        kind: 'Thing',
        ...(values.chance(0.3)
          ? { shortNames: ['th'], categories: ['all'], singular: 'thing', listKind: 'ThingList' }
          : {}),
      },
      versions: names.map((name) => versionOf(name, values, name === storage)),
    },
  };
  return {
    definition,
    kind: {
      apiVersion: `${group}/v1`,
      kind: 'Thing',
      plural: 'things',
      ...(names.length > 1 ? { versions: [`${group}/v2`] } : {}),
      bases: [
        { spec: {} },
        { spec: { n: 5, s: 'b', list: [{ k: 'a', v: 1 }], set: ['a', 'b'], m: { a: 'b' } } },
        {},
        {
          spec: {
            replicas: 2,
            am: { x: 'q' },
            free: { z: 1 },
            when: '2021-01-01T00:00:00Z',
            num: 0.5,
            one: { a: 'x' },
          },
          status: { phase: 'A' },
        },
      ],
      changes: CHANGES,
      status: STATUS,
      fields: ['spec.s=a', 'spec.n=3', 'spec.s!=b,spec.n=5', 'spec.q=x', 'status.phase=A'],
      parts: {
        scale: { 'spec.replicas': [0, 1, 5, -1, undefined], 'status.replicas': [3], 'metadata.labels.l': ['z'] },
      },
    },
  };
}

const VERSION = 'spec.versions.0';
const SPEC = `${VERSION}.schema.openAPIV3Schema.properties.spec`;
/** How a definition is changed while there are objects of its kind. */
export const DEFINITION_CHANGES: Changes = {
  [`${SPEC}.properties.n.maximum`]: [4, 20, undefined],
  [`${SPEC}.properties.n.default`]: [1, 100, undefined],
  [`${SPEC}.properties.s.enum`]: [['a'], ['b', 'c', 'd'], undefined],
  [`${SPEC}.properties.p`]: [undefined, { type: 'string' }, { type: 'integer' }],
  [`${SPEC}.properties.m`]: [undefined, { type: 'object', additionalProperties: { type: 'string', maxLength: 1 } }],
  [`${SPEC}.properties.set.x-kubernetes-list-type`]: ['atomic', undefined],
  [`${SPEC}.properties.later`]: [
    { type: 'string', default: 'now' },
    { type: 'string', 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] },
  ],
  [`${SPEC}.required`]: [['p'], ['later'], undefined],
  [`${SPEC}.x-kubernetes-validations`]: [[{ rule: 'self.n < 3' }], [{ rule: 'self.nothing' }], undefined],
  [`${SPEC}.x-kubernetes-preserve-unknown-fields`]: [true, undefined],
  [`${VERSION}.subresources`]: [{ status: {} }, undefined],
  [`${VERSION}.additionalPrinterColumns`]: [[{ name: 'X', type: 'string', jsonPath: '.spec.s' }], undefined],
  [`${VERSION}.selectableFields`]: [[{ jsonPath: '.spec.s' }], [{ jsonPath: '.spec.list' }], undefined],
  [`${VERSION}.deprecated`]: [true, undefined],
  [`${VERSION}.served`]: [true, true, false],
  [`${VERSION}.storage`]: [true, false],
  'spec.versions.1.storage': [true, false],
  'spec.names.shortNames': [['x', 'y'], undefined],
  'spec.scope': ['Cluster'],
  'spec.preserveUnknownFields': [true, false],
};
