import { expect } from 'chai';
import { shareJSON } from './shared.ts';
import { stringifyObject } from './stringify.ts';

const fieldsV1 = shareJSON('{"f:data":{"f:k":{}}}');
const entry = { manager: 'kubectl', fieldsType: 'FieldsV1', fieldsV1 };

describe('stringifyObject', () => {
  for (const [place, object] of Object.entries({
    last: { kind: 'A', metadata: { name: 'a', uid: undefined, managedFields: [entry] }, data: { n: 1n } },
    'in between': { metadata: { managedFields: [entry, entry], name: 'a' } },
    alone: { metadata: { managedFields: [{ fieldsV1 }] } },
    'beside what was made elsewhere': { metadata: { managedFields: [{ fieldsV1: { 'f:x': {} } }, entry] } },
    'with a subresource behind it': { metadata: { managedFields: [{ ...entry, subresource: 'status' }] } },
  }))
    it(`writes managed fields whose text is known as any others, ${place}`, () => {
      const plain = JSON.stringify(object, (_key, value: unknown) =>
        typeof value === 'bigint' ? Number(value) : value,
      );
      expect(stringifyObject(object)).to.equal(plain);
    });
});
