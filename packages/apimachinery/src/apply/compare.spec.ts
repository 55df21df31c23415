import { expect } from 'chai';
import { atomOf, deducedAtom } from './atom.ts';
import { compareTyped } from './compare.ts';
import { root, texts } from './testing/sample-kind.ts';

describe('comparing', () => {
  it('tells added, modified and removed fields apart, and counts zero values as set', () => {
    const change = compareTyped(
      atomOf(root),
      { spec: { replicas: 1, containers: [{ name: 'a', args: ['x'] }] }, data: { a: '1' } },
      { spec: { replicas: 2, containers: [{ name: 'b' }, { name: 'a', args: [] }] }, data: {} },
    );
    expect(texts(change.added)).to.deep.equal([
      '.spec.containers[name="b"]',
      '.spec.containers[name="b"].name',
      '.spec.containers[name="b"].resources',
    ]);
    expect(texts(change.modified)).to.deep.equal(['.spec.replicas', '.spec.containers[name="a"].args']);
    expect(texts(change.removed)).to.deep.equal(['.data.a']);
  });

  it('counts no zero values in what a configuration adds', () => {
    const change = compareTyped(atomOf(root), {}, { spec: { containers: [{ name: 'b' }] } }, 'values');
    expect(texts(change.added)).to.deep.equal([
      '.spec.containers',
      '.spec.containers[name="b"]',
      '.spec.containers[name="b"].name',
    ]);
  });

  it('sees values of unknown form as they are', () => {
    const cleared = compareTyped(deducedAtom, { s: 'x', t: 'y' }, { s: null });
    expect([texts(cleared.modified), texts(cleared.removed)]).to.deep.equal([['.s'], ['.t']]);
    const change = compareTyped(deducedAtom, { a: { b: 1 }, l: [1], s: 'x' }, { a: 2, l: [2], s: 'x' });
    expect(texts(change.modified)).to.deep.equal(['.a', '.l']);
    expect(texts(change.removed)).to.deep.equal(['.a.b']);
  });
});
