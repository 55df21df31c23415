import { expect } from 'chai';
import fc from 'fast-check';
import { parseMembers, type Members } from './parse-members.ts';

const { members } = fc.letrec<{ members: Members }>((tie) => ({
  members: fc.dictionary(
    fc.oneof(
      fc.string(),
      fc.constantFrom('.', 'f:name', 'k:{"name":"a"}', 'v:"a b"', '1', '0', '\u2028', '\ud800', 'toString'),
    ),
    fc.oneof({ depthSize: 'small' }, fc.constant({}), tie('members')),
    { noNullPrototype: true },
  ),
}));

describe('parseMembers', () => {
  it('reads what JSON.parse does, in the same order', () => {
    fc.assert(
      fc.property(members, (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseMembers(text))).to.equal(text);
      }),
    );
  });

  it('takes the last one of members with the same name, at the place of the first', () => {
    const text = '{"a":{},"b":{"c":{}},"a":{"d":{}},"\\u0061":{"e":{}}}';
    expect(JSON.stringify(parseMembers(text))).to.equal(JSON.stringify(JSON.parse(text)));
  });

  it('makes one frozen object of members that are alike', () => {
    const item = '{".":{},"f:name":{},"f:value":{}}';
    const read = parseMembers(`{"k:{\\"name\\":\\"a\\"}":${item},"k:{\\"name\\":\\"b\\"}":${item},"f:c":{"d":{}}}`);
    const [a, b, c] = Object.values(read ?? {});
    expect(a).to.equal(b);
    expect(a).to.deep.equal({ '.': {}, 'f:name': {}, 'f:value': {} });
    for (const each of [read, a, c, c?.['d']]) expect(Object.isFrozen(each)).to.equal(true);
  });

  const others: readonly (readonly [name: string, text: string])[] = [
    ['no object', '[]'],
    ['a member that is none', '{"a":1}'],
    ['a member that is none behind others', '{"a":{},"b":{},"c":null}'],
    ['spaces', '{"a": {}}'],
    ['nothing', ''],
    ['something behind it', '{}{}'],
    ['the end within a key', '{"a'],
    ['the end behind a backslash', '{"a\\'],
    ['the end behind a member', '{"a":{}'],
    ['a comma without a member', '{"a":{},}'],
    ['a key without a value', '{"a"}'],
    ['a control character in a key', '{"a\n":{}}'],
    ['a wrong escape', String.raw`{"\x":{}}`],
    ['a key that would be inherited from', '{"__proto__":{}}'],
    ['such a key with an escape', String.raw`{"\u005f_proto__":{}}`],
    ['more levels than fields have', `${'{"a":'.repeat(100)}{}${'}'.repeat(100)}`],
  ];
  for (const [name, text] of others)
    it(`leaves ${name} to others`, () => {
      expect(parseMembers(text)).to.equal(undefined);
    });
});
