import { expect } from 'chai';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstFlags, flagsDocument, gatesDocument, ownDefaults, ownFlags, referenceFlags } from './flags-table.ts';

const docs = join(import.meta.dirname, '../../../docs');

/** Ways to write the same default. */
function plain(text: string): string {
  const bare = text.replace(/^"(.*)"$/s, '$1').replace(/^\[(.*)\]$/s, '$1');
  return ['', 'false', '0', '0s'].includes(bare)
    ? ''
    : bare.replace(/^(?:0h)?(\d+)m0s$/, '$1m').replace(/^(\d+)h0m0s$/, '$1h');
}

describe('flags of kube-apiserver', () => {
  it('are all known', () => {
    const unknown = referenceFlags.filter(({ name }) => !ownFlags.has(name) && !firstFlags.has(name));
    expect(unknown.map(({ name }) => name)).to.deep.equal([]);
  });

  it('have the defaults of kube-apiserver, but where it is said why not', () => {
    const different = referenceFlags.flatMap(({ default: reference, name }) => {
      const own = ownFlags.get(name);
      return own === undefined || ownDefaults.has(name) || plain(own.flag.defaultText) === plain(reference)
        ? []
        : [`--${name}: ${own.flag.defaultText} instead of ${reference}`];
    });
    expect(different).to.deep.equal([]);
  });

  for (const [file, text] of [
    ['flags.md', flagsDocument],
    ['feature-gates.md', gatesDocument],
  ] as const) {
    it(`are told of in docs/${file}`, () => {
      const path = join(docs, file);
      if (process.env['UPDATE_DOCS'] === '1') writeFileSync(path, text());
      expect(readFileSync(path, 'utf8')).to.equal(text());
    });
  }
});
