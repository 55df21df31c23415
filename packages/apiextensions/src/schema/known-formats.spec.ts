import { expect } from 'chai';
import { knownFormats } from './known-formats.ts';
import { withoutWords } from './without-words.ts';

const inRelease = (minor: number): ReturnType<typeof knownFormats> =>
  knownFormats({ since: (version) => minor >= Number(version.slice(2)) });

describe('knownFormats', () => {
  it('are all of them since 1.36', () => {
    expect(inRelease(36)).to.equal(undefined);
  });

  it('are none of numbers before, and none of names before 1.35', () => {
    const schema = {
      type: 'object',
      properties: { n: { type: 'integer', format: 'int32' }, s: { type: 'string', format: 'k8s-short-name' } },
    };
    // Without the mark that ranges do not count.
    const copied = (minor: number): unknown => structuredClone(withoutWords(schema, inRelease(minor)).properties);
    expect(copied(35)).to.deep.equal({
      n: { type: 'integer' },
      s: { type: 'string', format: 'k8s-short-name' },
    });
    expect(copied(34)).to.deep.equal({
      n: { type: 'integer' },
      s: { type: 'string' },
    });
  });
});
