import { expect } from 'chai';
import type { JSONValue } from '../object/object.ts';
import type { OpenAPIV3Schema } from '../schema/structural.ts';
import { structuralSchema } from '../schema/structural.ts';
import { atomOf } from './atom.ts';
import { FieldManager } from './field-manager.ts';
import { fits } from './fits.ts';

const schema = structuralSchema({
  type: 'object',
  properties: {
    text: { type: 'string' },
    port: { 'x-kubernetes-int-or-string': true },
    set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'boolean' } },
    free: {
      'x-kubernetes-preserve-unknown-fields': true,
      properties: {
        one: { type: 'object', 'x-kubernetes-map-type': 'atomic', properties: { a: { type: 'integer' } } },
      },
    } as OpenAPIV3Schema,
    resource: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  },
});

describe('custom objects and their schema', () => {
  for (const [value, fitting] of [
    [{ text: 'a', port: 1, set: [true, true] }, true],
    [{ text: null, set: null }, true],
    [{ text: ['a'] }, false],
    [{ text: 1 }, false],
    [{ other: 1 }, false],
    [{ set: [null] }, false],
    [{ set: [{}] }, false],
    [{ port: [{}] }, true],
    [{ port: { a: 1 } }, true],
    [{ free: 'a' }, true],
    [{ free: { one: { a: 1 }, two: 2 } }, true],
    [{ free: { one: 1 } }, false],
    [{ resource: { metadata: { finalizers: 'a' } } }, false],
  ] as const satisfies readonly (readonly [JSONValue, boolean])[]) {
    it(`${JSON.stringify(value)} ${fitting ? 'fits' : 'does not fit'}`, () => {
      expect(fits(atomOf(schema), value as JSONValue)).to.equal(fitting);
    });
  }

  describe('updates', () => {
    const gvk = { group: 'g.test', version: 'v1', kind: 'Widget' };
    const manager = new FieldManager({
      gvk,
      schemaFor: () => schema,
      convert: (object) => object,
      unfit: true,
      clock: { now: () => 0 },
    });
    const widget = (fields: object) => ({
      apiVersion: 'g.test/v1',
      kind: 'Widget',
      metadata: { name: 'w' },
      ...fields,
    });
    const ownedBy = async (fields: object, live?: object): Promise<unknown> =>
      (
        await manager.update(live === undefined ? undefined : widget(live), widget(fields), 'm')
      ).metadata?.managedFields?.map(({ fieldsV1 }) => JSON.parse(JSON.stringify(fieldsV1)));

    it('own what fits, by the properties of what has no type and by the metadata of embedded resources', async () => {
      expect(
        await ownedBy({
          port: { a: 1 },
          free: { one: { a: 1 }, two: { b: 1 } },
          resource: { metadata: { finalizers: ['a/b'] } },
          set: [true, true],
        }),
      ).to.deep.equal([
        {
          'f:port': { '.': {}, 'f:a': {} },
          'f:free': { '.': {}, 'f:one': {}, 'f:two': { '.': {}, 'f:b': {} } },
          'f:resource': { '.': {}, 'f:metadata': { '.': {}, 'f:finalizers': { '.': {}, 'v:"a/b"': {} } } },
          'f:set': { '.': {}, 'v:true': {} },
        },
      ]);
    });

    it('own what they set to null', async () => {
      expect(await ownedBy({ free: { two: null } }, { free: { two: 'a' } })).to.deep.equal([
        { 'f:free': { 'f:two': {} } },
      ]);
      expect(await ownedBy({ set: null }, { set: [] })).to.deep.equal([{ 'f:set': {} }]);
    });

    it('own nothing of an object that does not fit, or did not', async () => {
      expect(await ownedBy({ text: ['a'] })).to.equal(undefined);
      expect(await ownedBy({ text: 'a' }, { text: ['a'] })).to.equal(undefined);
      expect(await ownedBy({ text: 'a' }, { text: 'b' })).to.deep.equal([{ 'f:text': {} }]);
    });
  });
});
