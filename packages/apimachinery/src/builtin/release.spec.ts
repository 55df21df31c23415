import { expect } from 'chai';
import { schemaFor } from '../schema/builtin.ts';
import { builtinScheme } from './builtin-scheme.ts';
import { builtinRelease, knownReleases, loadRelease } from './load-release.ts';
import { Release } from './release.ts';

const names = { version: '1.99', gitVersion: 'v1.99.0' };

describe('a release', () => {
  it('is that of the checked-in tables, without another copy', async () => {
    const release = await loadRelease(builtinRelease.version);
    expect(release).to.equal(builtinRelease);
    expect(builtinRelease.scheme).to.equal(builtinScheme());
    expect(builtinRelease.schemaFor('io.k8s.api.core.v1.Pod')).to.equal(schemaFor('io.k8s.api.core.v1.Pod'));
  });

  it('is nothing when nobody knows it', async () => {
    expect(await loadRelease('1.2')).to.equal(undefined);
  });

  it('has the rows that its changes put into a table, one neighbour after the other', () => {
    const release = new Release(names, [{ letters: [[1, 1, 'x']] }, { letters: [[0, 0, 'y']], others: [[0, 1]] }]);
    expect(release.table('letters', ['a', 'b'])).to.deep.equal(['y', 'a', 'x']);
  });

  it('has schemas of its own where its definitions are changed, and leaves those of others alone', () => {
    const release = new Release(names, [{ definitions: [[0, 0, ['io.example.v1.Thing', 'v1.Thing;size i 1 o']]] }]);
    const schema = release.schemaFor('io.example.v1.Thing');
    expect(schema.kind === 'struct' && [...schema.fields.keys()]).to.deep.equal(['size']);
    expect(() => schemaFor('io.example.v1.Thing')).to.throw('no schema definition "io.example.v1.Thing"');
  });

  it('knows which releases came before it', () => {
    expect(['1.98', '1.99', '1.100'].map((version) => new Release(names, []).since(version))).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  for (const { version } of knownReleases)
    it(`${version} has a schema for each of its kinds, and a kind for each of its resources`, async () => {
      const release = (await loadRelease(version)) as Release;
      for (const info of release.scheme.kinds()) expect(info.schema, info.definition).to.be.an('object');
      for (const row of [...release.resources, ...release.optional])
        expect(release.scheme.kind(row), `${row.group}/${row.version} ${row.kind}`).not.to.equal(undefined);
    });
});
