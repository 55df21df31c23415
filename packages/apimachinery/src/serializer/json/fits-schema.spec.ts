import { expect } from 'chai';
import fc from 'fast-check';
import { builtinScheme } from '../../builtin/builtin-scheme.ts';
import type { Schema, StructSchema } from '../../schema/schema.ts';
import { arbitraryOf } from '../testdata/arbitrary-object.ts';
import { decodeRecord } from './decode-record.ts';
import { encodeJSON, encodeStoredJSON } from './encode.ts';
import { decodeJSON } from './decode.ts';
import { fitsSchema } from './fits-schema.ts';

const gvks = [
  { group: '', version: 'v1', kind: 'Pod' },
  { group: '', version: 'v1', kind: 'Secret' },
  { group: '', version: 'v1', kind: 'Event' },
  { group: 'apps', version: 'v1', kind: 'Deployment' },
  { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' },
  { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
  { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
  { group: 'rbac.authorization.k8s.io', version: 'v1', kind: 'ClusterRole' },
];

const schemaOf = (gvk: (typeof gvks)[number]): StructSchema => {
  const schema: Schema | undefined = builtinScheme().kind(gvk)?.schema;
  return schema?.kind === 'struct' ? schema : expect.fail(`${gvk.kind} has no fields`);
};
const typed = ({ group, kind, version }: (typeof gvks)[number], value: object): Record<string, unknown> => ({
  kind,
  apiVersion: group === '' ? version : `${group}/${version}`,
  ...value,
});

/** What a member may be instead of what it is. */
const others = [0, 1.5, 2 ** 40, '', 'x', '1000m', 'YQ==', true, false, null, [], {}, [1], ['x'], { a: 1 }, { a: 'x' }];

describe('whether an object fits its schema', () => {
  for (const gvk of gvks) {
    const schema = schemaOf(gvk);
    const info = builtinScheme().kind(gvk);
    it(`is so of each ${gvk.kind} that is written`, () => {
      fc.assert(
        fc.property(arbitraryOf(schema), (value) => {
          const stored = encodeStoredJSON(typed(gvk, value as object), schema);
          expect(fitsSchema(decodeRecord(stored) as Record<string, unknown>, schema)).to.equal(true);
        }),
      );
    });
    it(`is so only of a ${gvk.kind} that is decoded as it is`, () => {
      fc.assert(
        fc.property(arbitraryOf(schema), fc.constantFrom(...others), fc.nat(), (value, junk, at) => {
          const object = typed(gvk, value as object);
          const places = placesOf(object).filter(({ key }) => key !== 'kind' && key !== 'apiVersion');
          fc.pre(places.length > 0);
          const place = places[at % places.length]!;
          place.in[place.key] = junk as never;
          const text = JSON.stringify(object, (_, member: unknown) =>
            typeof member === 'bigint' ? Number(member) : member,
          );
          const parsed = JSON.parse(text) as Record<string, unknown>;
          if (!fitsSchema(parsed, schema)) return;
          // No error, and the same bytes for both.
          const { object: decoded } = decodeJSON(Buffer.from(text), info);
          expect(encodeJSON(decoded, schema).toString()).to.equal(encodeJSON(parsed, schema).toString());
        }),
      );
    });
  }

  const configMap = schemaOf({ group: '', version: 'v1', kind: 'ConfigMap' });
  const quota = schemaOf({ group: '', version: 'v1', kind: 'ResourceQuota' });
  const definition = schemaOf({ group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' });
  for (const [what, schema, object] of [
    ['a number where there are texts', configMap, { data: { a: 1 } }],
    ['null where there are texts', configMap, { data: { a: null } }],
    ['a list where there is a map', configMap, { data: [] }],
    ['an unknown member', configMap, { nonsense: 1 }],
    ['what is no base64', configMap, { binaryData: { a: '%%%' } }],
    ['base64 with line ends', configMap, { binaryData: { a: 'YQ=\n=' } }],
    ['a label that is a number', configMap, { metadata: { name: 'a', labels: { a: 1 } } }],
    ['an empty map that is left out', configMap, { metadata: { name: 'a', labels: {} } }],
    ['a time that is none', configMap, { metadata: { managedFields: [{ time: 'yesterday' }] } }],
    ['what is no quantity', quota, { spec: { hard: { cpu: 'x y' } } }],
    ['a quantity in another form', quota, { spec: { hard: { cpu: '1000m' } } }],
    ['a union of something else', definition, { spec: { versions: [{ schema: { openAPIV3Schema: { items: 1 } } }] } }],
  ] as const)
    it(`is not so with ${what}`, () => {
      expect(fitsSchema(object, schema)).to.equal(false);
    });
});

/** Where something else can be put in. */
function placesOf(value: unknown): { readonly in: Record<string, unknown>; readonly key: string }[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    { in: value as Record<string, unknown>, key },
    ...placesOf(member),
  ]);
}
