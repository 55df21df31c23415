import { expect } from 'chai';
import { parseResourceVersion, toldRevision } from './resource-version.ts';

describe('a resourceVersion', () => {
  for (const [text, revision] of [
    ['', 0],
    ['0', 0],
    ['007', 7],
    ['18446744073709551615', Number.MAX_SAFE_INTEGER],
    ['00018446744073709551615', Number.MAX_SAFE_INTEGER],
  ] as const)
    it(`${JSON.stringify(text)} is ${revision}`, () => {
      expect(parseResourceVersion(text)).to.equal(revision);
    });

  for (const [text, reason] of [
    ['18446744073709551616', 'value out of range'],
    ['100000000000000000000', 'value out of range'],
    ['-1', 'invalid syntax'],
    ['1.5', 'invalid syntax'],
  ] as const)
    it(`${text} is none`, () => {
      expect(() => parseResourceVersion(text)).to.throw(`strconv.ParseUint: parsing "${text}": ${reason}`);
    });

  it('is told as it was given, and that of a continue token for it', () => {
    const given = '9223372036854775808';
    expect(toldRevision({ resourceVersion: `0${given}` }, Number.MAX_SAFE_INTEGER)).to.equal(given);
    expect(toldRevision({ resourceVersion: '' }, 7)).to.equal('7');
    expect(toldRevision({ resourceVersion: '0', continue: 'x' }, 7)).to.equal('7');
  });
});
