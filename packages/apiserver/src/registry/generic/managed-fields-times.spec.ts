import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { keepManagedFieldsTimes } from './managed-fields-times.ts';

const [before, now] = ['2026-01-01T00:00:00Z', '2026-01-01T00:00:01Z'];

/** An object that one manager wrote at that time. */
function written(time: string, more: object): KubeObject {
  const entry = { manager: 'm', operation: 'Update', apiVersion: 'v1', time, fieldsType: 'FieldsV1', fieldsV1: {} };
  return { apiVersion: 'v1', kind: 'Thing', metadata: { name: 'x', managedFields: [entry] }, ...more } as KubeObject;
}

const rows: readonly { readonly what: string; readonly old: object; readonly new: object; readonly kept: string }[] = [
  { what: 'nothing', old: { spec: { a: [1] } }, new: { spec: { a: [1] } }, kept: 'always' },
  { what: 'a value', old: { spec: { a: 1 } }, new: { spec: { a: 2 } }, kept: 'never' },
  { what: 'the length of a list', old: { spec: { a: [1] } }, new: { spec: { a: [1, 2] } }, kept: 'never' },
  { what: 'an object to none', old: { spec: { a: {} } }, new: { spec: {} }, kept: 'unless strict' },
  { what: 'no list to an empty one', old: { spec: {} }, new: { spec: { a: [] } }, kept: 'unless strict' },
  {
    what: 'an empty object to a null',
    old: { spec: { a: [{ b: {} }] } },
    new: { spec: { a: [{ b: null }] } },
    kept: 'unless strict',
  },
  { what: 'no value to false', old: { spec: {} }, new: { spec: { a: false } }, kept: 'never' },
  { what: 'an empty list to a text', old: { spec: { a: [] } }, new: { spec: { a: '' } }, kept: 'never' },
];

describe('keepManagedFieldsTimes', () => {
  for (const row of rows)
    for (const strict of [false, true]) {
      const isKept = row.kept === 'always' || (row.kept === 'unless strict' && !strict);
      const verb = isKept ? 'keeps' : 'renews';
      it(`${verb} times where an update changes ${row.what}${strict ? ', strictly' : ''}`, () => {
        const object = written(now, row.new);
        keepManagedFieldsTimes(object, written(before, row.old), { strict });
        expect(object.metadata?.managedFields?.[0]?.time).to.equal(isKept ? before : now);
      });
    }
});
