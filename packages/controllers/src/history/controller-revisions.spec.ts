import type { ControllerRevision } from '@kubechain/apimachinery/types/apps/v1';
import { expect } from 'chai';
import {
  byRevision,
  isSameTemplate,
  nextRevision,
  revisionData,
  surplusRevisions,
  templateOf,
} from './controller-revisions.ts';
import { revisionHash, safeEncode } from './revision-hash.ts';

const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'x' }] } };
const revision = (name: string, number: number, created = '2026-01-01T00:00:00Z'): ControllerRevision => ({
  metadata: { name, creationTimestamp: created },
  revision: number,
  data: revisionData(template),
});
const names = (revisions: readonly ControllerRevision[]): readonly string[] =>
  revisions.map(({ metadata }) => metadata?.name ?? '');

describe('revisions of a template', () => {
  it('give it back', () => expect(templateOf(revision('a', 1))).to.deep.equal(template));
  it('hold it in the order in which kube-controller-manager writes it', () => {
    const { spec, metadata } = template;
    expect(JSON.stringify(revisionData({ spec, metadata }))).to.equal(
      '{"spec":{"template":{"$patch":"replace","metadata":{"labels":{"app":"a"}},' +
        '"spec":{"containers":[{"image":"x","name":"c"}]}}}}',
    );
  });
  it('are numbered on', () => {
    expect(nextRevision([])).to.equal(1);
    expect(nextRevision([revision('a', 4), revision('b', 2)])).to.equal(5);
  });
  it('are the same whatever fields are null and in which order they stand', () => {
    const { spec, metadata } = template;
    const written = {
      spec: { template: { spec, metadata: { ...metadata, creationTimestamp: null }, $patch: 'replace' } },
    };
    expect(isSameTemplate({ revision: 1, data: written }, template)).to.equal(true);
    expect(isSameTemplate({ revision: 1, data: written }, { ...template, metadata: {} })).to.equal(false);
  });
  it('go when nobody uses them, oldest first', () => {
    const revisions = [
      revision('new', 4),
      revision('used', 1),
      revision('old', 2),
      revision('older', 2, '2025-01-01T00:00:00Z'),
    ];
    expect(names(revisions.toSorted(byRevision))).to.deep.equal(['used', 'older', 'old', 'new']);
    const isUsed = ({ metadata }: ControllerRevision): boolean => metadata?.name === 'used';
    expect(names(surplusRevisions(revisions, isUsed, 1))).to.deep.equal(['older', 'old']);
    expect(names(surplusRevisions(revisions, isUsed, 0))).to.deep.equal(['older', 'old', 'new']);
    expect(surplusRevisions(revisions, isUsed, 3)).to.deep.equal([]);
  });
  it('are named by what they hold, whatever its order, and by collisions', () => {
    const hash = revisionHash({ b: 1, a: { d: 2, c: 3 } }, 0);
    expect(hash)
      .to.match(/^[bcdf-hj-np-tv-z2-9]+$/)
      .and.equal(revisionHash({ a: { c: 3, d: 2 }, b: 1 }, 0));
    expect(revisionHash({ b: 1, a: { d: 2, c: 3 } }, 1)).to.not.equal(hash);
    expect(safeEncode('0123456789')).to.equal('456789bcdf');
  });
});
