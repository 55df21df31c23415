import { expect } from 'chai';
import fc from 'fast-check';
import { metadataWithoutManagedFields, withoutManagedFields } from './managed-fields.ts';

const cut = (text: string): string => Buffer.concat(withoutManagedFields(Buffer.from(text))).toString();

describe('JSON without managed fields', () => {
  const rows: readonly (readonly [name: string, json: string, without: string])[] = [
    [
      'between others',
      '{"metadata":{"a":1,"managedFields":[{"a":"]}\\""}],"b":2},"c":3}',
      '{"metadata":{"a":1,"b":2},"c":3}',
    ],
    ['at the end', '{"metadata":{"a":1,"managedFields":[]}}', '{"metadata":{"a":1}}'],
    ['at the beginning', '{"metadata":{"managedFields":[],"a":1}}', '{"metadata":{"a":1}}'],
    ['alone', '{"metadata":{"managedFields":null}}', '{"metadata":{}}'],
    [
      'behind other members',
      '{"x":{"metadata":{"managedFields":[]}},"n":-1,"metadata":{"managedFields":[]}}',
      '{"x":{"metadata":{"managedFields":[]}},"n":-1,"metadata":{}}',
    ],
    ['with spaces', '{ "metadata" : { "a" : 1 , "managedFields" : [ ] } }', '{ "metadata" : { "a" : 1  } }'],
    [
      'none',
      '{"metadata":{"annotations":{"managedFields":"x"}}}',
      '{"metadata":{"annotations":{"managedFields":"x"}}}',
    ],
    ['no metadata', '{"kind":"Status","metadata":null}', '{"kind":"Status","metadata":null}'],
    ['nothing', '{}', '{}'],
    ['no object', 'null', 'null'],
  ];
  for (const [name, json, without] of rows)
    it(`leaves them out: ${name}`, () => {
      expect(cut(json)).to.equal(without);
    });

  it('leaves them out of metadata alone', () => {
    const json = Buffer.from('{"name":"a","managedFields":[1]}');
    expect(Buffer.concat(metadataWithoutManagedFields(json)).toString()).to.equal('{"name":"a"}');
  });

  it('says the same otherwise, whatever else there is', () => {
    const member = fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 4 });
    fc.assert(
      fc.property(member, member, fc.jsonValue(), fc.nat(4), (object, inside, fields, space) => {
        const members = Object.entries(inside).filter(([name]) => name !== 'managedFields');
        members.splice(space, 0, ['managedFields', fields]);
        const rest = Object.entries(object).filter(([name]) => name !== 'metadata' && name !== '__proto__');
        const json = JSON.stringify(
          Object.fromEntries([...rest, ['metadata', Object.fromEntries(members)]]),
          null,
          space,
        );
        const expected = JSON.parse(json) as { metadata: { managedFields?: unknown } };
        delete expected.metadata.managedFields;
        expect(JSON.parse(cut(json))).to.deep.equal(expected);
      }),
      { seed: 11, numRuns: 300 },
    );
  });
});
