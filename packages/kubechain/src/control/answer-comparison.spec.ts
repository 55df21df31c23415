import { expect } from 'chai';
import { AnswerComparison } from './answer-comparison.ts';

const object = (uid: string, resourceVersion: string, more: object = {}): object => ({
  metadata: { name: 'boat', uid, resourceVersion, creationTimestamp: '2030-01-01T00:00:00Z' },
  ...more,
});

describe('answers of two servers', () => {
  it('are the same but for ids, revisions and times, which stand for each other', () => {
    const comparison = new AnswerComparison();
    const replayed = object('u2', '20');
    const later = {
      ...replayed,
      metadata: { ...(replayed as { metadata: object }).metadata, creationTimestamp: '2031-02-03T04:05:06Z' },
    };
    expect(comparison.compare(object('u1', '10'), later)).to.deep.equal([]);
    expect([
      comparison.replaced('object u1'),
      comparison.revision('10'),
      comparison.revision('11'),
      comparison.replaced('10'),
    ]).to.deep.equal(['object u2', '20', undefined, '10']);
  });

  it('differ where a value, a member or an item does', () => {
    const differences = new AnswerComparison().compare(
      object('u1', '10', { spec: { replicas: 1, paused: true }, items: [1] }),
      object('u2', '20', { spec: { replicas: 2 }, items: [1, 2] }),
    );
    expect(differences).to.deep.equal([
      { path: 'spec.replicas', recorded: 1, replayed: 2 },
      { path: 'spec.paused', recorded: true },
      { path: 'items[1]', replayed: 2 },
    ]);
  });

  it('differ where an id is missing', () => {
    expect(new AnswerComparison().compare({ metadata: { uid: 'u1' } }, { metadata: {} })).to.deep.equal([
      { path: 'metadata.uid', recorded: 'u1' },
    ]);
  });

  it('have generated names of their own', () => {
    const comparison = new AnswerComparison();
    const made = (name: string): object => ({ spec: { target: name }, metadata: { generateName: 'boat-', name } });
    expect(comparison.compare(made('boat-abcde'), made('boat-fghij'))).to.deep.equal([]);
    expect(comparison.compare({ name: 'boat-abcde' }, { name: 'boat-zzzzz' })).to.have.length(1);
  });
});
