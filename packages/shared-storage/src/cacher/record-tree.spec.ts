import { expect } from 'chai';
import fc from 'fast-check';
import type { ObjectRecord } from '../storage/interfaces.ts';
import { JSONRecord } from '../storage/json-record.ts';
import { prefixRangeEnd } from '../etcd-client/prefix-range.ts';
import { RecordTree } from './record-tree.ts';

const json = new Uint8Array();
const attributes = { name: '', namespace: '', labels: undefined, fields: {} };
const record = (key: string, revision: number): ObjectRecord =>
  new JSONRecord(key, revision, { json, attributes, parse: () => ({}) });

const sorted = (model: ReadonlyMap<string, number>): [string, number][] =>
  [...model].sort(([a], [b]) => (a < b ? -1 : 1));
const content = (tree: RecordTree): [string, number][] =>
  tree.range('', '\uffff').map(({ key, revision }) => [key, revision]);

describe('RecordTree', () => {
  it('does what a sorted map does, and its snapshots stay as they were', () => {
    const key = fc.integer({ min: 0, max: 400 }).map((n) => `/r/${String(n).padStart(3, '0')}`);
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('set' as const), key }) },
      { weight: 4, arbitrary: fc.record({ kind: fc.constant('delete' as const), key }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('snapshot' as const), key }) },
    );
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 300 }),
        fc.array(step, { minLength: 1, maxLength: 800, size: 'max' }),
        (loaded, steps) => {
          const model = new Map<string, number>();
          for (let i = 0; i < loaded; i++) model.set(`/r/${String(i).padStart(3, '0')}`, i);
          const tree = RecordTree.fromSorted(sorted(model).map(([k, r]) => record(k, r)));
          const snapshots: { tree: RecordTree; content: [string, number][] }[] = [];
          for (const [i, { kind, key: k }] of steps.entries()) {
            if (kind === 'set') {
              expect(tree.set(record(k, 1000 + i))?.revision).to.equal(model.get(k));
              model.set(k, 1000 + i);
            } else if (kind === 'delete') {
              expect(tree.delete(k)?.revision).to.equal(model.get(k));
              model.delete(k);
            } else snapshots.push({ tree: tree.snapshot(), content: sorted(model) });
          }
          expect(content(tree)).to.deep.equal(sorted(model));
          expect(tree.size).to.equal(model.size);
          for (const snapshot of snapshots) expect(content(snapshot.tree)).to.deep.equal(snapshot.content);
          for (const probe of ['/r/', '/r/050', '/r/1', '/r/399\0']) {
            expect(tree.rank(probe)).to.equal(sorted(model).filter(([k]) => k < probe).length);
            expect(tree.get(probe)?.revision).to.equal(model.get(probe));
          }
          expect(tree.range('/r/1', prefixRangeEnd('/r/1'), 7).map(({ key: k }) => k)).to.deep.equal(
            sorted(model)
              .filter(([k]) => k.startsWith('/r/1'))
              .slice(0, 7)
              .map(([k]) => k),
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it('can be changed on both sides of a snapshot', () => {
    const tree = RecordTree.fromSorted(Array.from({ length: 500 }, (_, i) => record(`/r/${1000 + i}`, i)));
    const copy = tree.snapshot();
    copy.delete('/r/1000');
    tree.set(record('/r/1499', 9999));
    expect(copy.get('/r/1499')?.revision).to.equal(499);
    expect(tree.get('/r/1000')?.revision).to.equal(0);
  });
});
