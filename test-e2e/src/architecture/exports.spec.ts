import { expect } from 'chai';
import { join } from 'node:path';
import { exportedNames, namesIn, undocumentedNames } from './exported-names.ts';
import { publicEntries, publicNames } from './public-names.ts';

describe('entries of packages', () => {
  const root = join(import.meta.dirname, '../../..');
  const names = exportedNames(root);

  it('are read', () => {
    expect(names.filter(({ imported }) => imported).length).to.be.greaterThan(500);
    expect(
      namesIn("export type { A, B as C } from './a.ts';\nexport { type D } from './d.ts';\nexport const e = 1;\n"),
    ).to.deep.equal(['A', 'C', 'D', 'e']);
  });

  it('export what another package imports, or what is on the list of the public API', () => {
    const unused = names.filter(
      ({ entry, imported, name }) =>
        !imported && !publicEntries.includes(entry) && publicNames[entry]?.includes(name) !== true,
    );
    expect(unused.map(({ entry, name }) => `${entry}: ${name}`)).to.deep.equal([]);
  });

  it('export nothing without a doc comment', () => {
    expect(undocumentedNames(root)).to.deep.equal([]);
  });

  it('have what the list of the public API names', () => {
    const known = new Set(names.map(({ entry, name }) => `${entry}: ${name}`));
    const listed = Object.entries(publicNames).flatMap(([entry, of]) => of.map((name) => `${entry}: ${name}`));
    expect(listed.filter((name) => !known.has(name))).to.deep.equal([]);
    const entries = new Set(names.map(({ entry }) => entry));
    expect(publicEntries.filter((entry) => !entries.has(entry))).to.deep.equal([]);
  });
});
