import { expect } from 'chai';
import fc from 'fast-check';
import type { JSONValue, KubeObject } from '../../object/object.ts';
import { builtinScheme } from '../../builtin/builtin-scheme.ts';
import { encodingSchema } from '../../runtime/scheme.ts';
import type { KindInfo } from '../../runtime/scheme.ts';
import type { Decoded } from '../decoded.ts';
import { decodeExactly, decodeJSON } from './decode.ts';
import { decodeRecord } from './decode-record.ts';
import { encodeJSON, encodeStoredJSON } from './encode.ts';
import { sharedText } from './shared.ts';
import { parseTree } from './tree.ts';

const configMap = builtinScheme().kind({ group: '', version: 'v1', kind: 'ConfigMap' });
const schema = encodingSchema(configMap);
// Without backslashes: after a key `\\`, JSON.parse of V8 13.6 takes an escaped key of the next object for it.
const word = fc.oneof(
  fc.constantFrom(
    'a',
    'managedFields',
    'fieldsV1',
    '"managedFields":[{',
    '"fieldsV1":{',
    '},{"manager":"',
    '}]',
    ',"subresource":"',
    '"',
    '}',
    '{',
    '<',
    'é',
    '🙂',
    'nginx:1.27',
    ',1.5',
  ),
  fc.string({ maxLength: 4 }).filter((text) => !text.includes('\\')),
);
const fields = fc.letrec<{ node: Record<string, JSONValue> }>((tie) => ({
  node: fc.dictionary(
    word.map((name) => `f:${name}`),
    fc.oneof({ depthSize: 'small' }, fc.constant({}), tie('node')),
    { maxKeys: 3, noNullPrototype: true },
  ),
})).node;
const entry = fc.record(
  {
    manager: word,
    operation: fc.constantFrom('Apply' as const, 'Update' as const),
    apiVersion: fc.constant('v1'),
    fieldsType: fc.constant('FieldsV1'),
    fieldsV1: fields,
    subresource: fc.constantFrom('status', 'scale'),
  },
  { requiredKeys: ['fieldsV1'], noNullPrototype: true },
);
const object = fc.record(
  {
    kind: fc.constant('ConfigMap'),
    apiVersion: fc.constant('v1'),
    metadata: fc.record(
      {
        name: fc.constant('x'),
        annotations: fc.dictionary(word, word, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
        managedFields: fc.array(entry, { minLength: 1, maxLength: 3 }),
      },
      { requiredKeys: ['name'], noNullPrototype: true },
    ),
    data: fc.dictionary(word, word, { minKeys: 1, maxKeys: 3, noNullPrototype: true }),
  },
  { requiredKeys: ['kind', 'apiVersion', 'metadata'], noNullPrototype: true },
) as fc.Arbitrary<KubeObject>;

describe('decodeRecord', () => {
  it('reads what decodeJSON reads, whatever the strings hold, and what it shares is written as it came', () => {
    fc.assert(
      fc.property(object, fc.boolean(), (given, typed) => {
        const bytes = typed ? encodeStoredJSON(given, schema) : encodeJSON(given);
        const exactly = (expected: KindInfo | undefined): Decoded =>
          decodeExactly(parseTree(bytes.toString()), { text: bytes.toString(), expected, options: { strict: 'Warn' } });
        for (let i = 0; i < 2; i++) {
          const read = decodeRecord(bytes);
          expect(read).to.deep.equal(exactly(undefined).object);
          // Bodies of requests share what stored objects have.
          const [body, same] = [decodeJSON(bytes, configMap, { strict: 'Warn' }), exactly(configMap)];
          expect([body.object, body.strictErrors]).to.deep.equal([same.object, same.strictErrors]);
          expect((typed ? encodeStoredJSON(read, schema) : encodeJSON(read)).toString()).to.equal(bytes.toString());
        }
      }),
      { numRuns: 500 },
    );
  });

  const record = (fieldsV1: string, more = ''): Buffer =>
    Buffer.from(
      '{"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":"x","managedFields":[{"manager":"m",' +
        `"operation":"Update","apiVersion":"v1","fieldsType":"FieldsV1","fieldsV1":${fieldsV1}}]}${more}}`,
    );

  it('gives the same managed fields to all objects, and lets nobody change them', () => {
    const [one, other] = [
      decodeRecord(record('{"f:data":{"f:k":{}}}')),
      decodeRecord(record('{"f:data":{"f:k":{}}}', ',"data":{"k":"v"}')),
    ];
    const managed = one.metadata?.managedFields?.[0]?.fieldsV1 as Record<string, JSONValue>;
    expect(managed).to.equal(other.metadata?.managedFields?.[0]?.fieldsV1);
    expect(sharedText(managed)).to.equal('{"f:data":{"f:k":{}}}');
    expect(() => {
      (managed['f:data'] as Record<string, JSONValue>)['f:x'] = {};
    }).to.throw(TypeError);
    expect(() => {
      (one.metadata as { managedFields: object[] }).managedFields.push({});
    }).not.to.throw();
  });

  it('tells fields that begin alike apart, however many there are', () => {
    const begin = '"f:metadata":{"f:annotations":{".":{},"f:example.com/a-long-name-of-an-annotation":{}}}';
    const sets = Array.from({ length: 20 }, (_, i) => `{${begin},"f:data":{"f:key-${'x'.repeat(i)}":{}}}`);
    for (let round = 0; round < 3; round++) {
      for (const set of [...sets, ...sets.toReversed()]) {
        expect(
          JSON.stringify(decodeRecord(record(set, ',"data":{"k":"v"}')).metadata?.managedFields?.[0]?.fieldsV1),
        ).to.equal(set);
      }
    }
  });

  it('leaves fields of other objects alone', () => {
    const bytes = Buffer.from(
      '{"kind":"Odd","apiVersion":"example.com/v1","metadata":{"name":"x"},' +
        '"spec":{"managedFields":[{"fieldsV1":{"f:a":{}}}],"n":9007199254740993}}',
    );
    const read = decodeRecord(bytes);
    expect(read['spec']).to.deep.equal({ managedFields: [{ fieldsV1: { 'f:a': {} } }], n: 9007199254740993n });
    expect(
      sharedText((read['spec'] as { managedFields: { fieldsV1: object }[] }).managedFields[0]?.fieldsV1 as object),
    ).to.equal(undefined);
  });

  it('lets bodies share managed fields, and refuses the others as ever', () => {
    const known = '{"f:data":{"f:k":{}}}';
    const stored = decodeRecord(record(known));
    const body = (text: string): Decoded => decodeJSON(Buffer.from(text), configMap, { strict: 'Warn' });
    expect(body(record(known).toString()).object.metadata?.managedFields?.[0]?.fieldsV1).to.equal(
      stored.metadata?.managedFields?.[0]?.fieldsV1,
    );
    const twice = body(record(known).toString().replace('"name":"x"', '"name":"x","name":"y"'));
    expect(twice.strictErrors).to.deep.equal(['duplicate field "metadata.name"']);
    expect(twice.object.metadata?.managedFields?.[0]?.fieldsV1).to.deep.equal({ 'f:data': { 'f:k': {} } });
    expect(() => body(record(known).toString().slice(0, -1))).to.throw('unexpected end of JSON input');
    expect(() => body(record(known, ',"data":7').toString())).to.throw(
      'json: cannot unmarshal number into Go struct field ConfigMap.data of type map[string]string',
    );
    const odd = body(record(known, `,"data":{"a":"b"},"spec":{"managedFields":[{"fieldsV1":${known}}]}`).toString());
    expect(odd.strictErrors).to.deep.equal(['unknown field "spec"']);
    expect(odd.object.metadata).to.deep.equal(stored.metadata);
  });

  it('keeps the text of numbers beside managed fields', () => {
    expect(decodeRecord(record('{}', ',"n":9007199254740993'))['n']).to.equal(9007199254740993n);
  });
});
