import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResultRecord } from './record.ts';
import { conformanceTable } from './table.ts';

describe('the record of the conformance suite', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-record-'));
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  it('is found again by another run', () => {
    const file = join(folder, 'results.jsonl');
    new ResultRecord(file).add({ test: 'a', state: 'failed', seconds: 1, reason: 'no' });
    new ResultRecord(file).add({ test: 'a', state: 'passed', seconds: 2 });
    const found = new ResultRecord(file);
    expect(found.tries('a').map(({ state }) => state)).to.deep.equal(['failed', 'passed']);
    expect(found.last('a')?.seconds).to.equal(2);
    expect(found.last('b')).to.equal(undefined);
  });

  it('is told as a table: what passed, what did not and why, what has not run', () => {
    const record = new ResultRecord(join(folder, 'results.jsonl'));
    record.add({ test: '[sig-a] x [Conformance]', state: 'passed', seconds: 1 });
    record.add({ test: '[sig-a] y|z [Conformance]', state: 'failed', seconds: 1, reason: 'no\nstack' });
    record.add({ test: '[sig-b] w [Conformance]', state: 'failed', seconds: 1, reason: 'once' });
    record.add({ test: '[sig-b] w [Conformance]', state: 'passed', seconds: 1 });
    const tests = ['x', 'y|z', 'v'].map((name) => `[sig-a] ${name} [Conformance]`);
    const table = conformanceTable([...tests, '[sig-b] w [Conformance]'], record).split('\n');
    expect(table).to.include.members([
      '| sig-a | 3 | 1 |',
      '| sig-b | 1 | 1 |',
      '| all | 4 | 2 |',
      '| x | passed |',
      String.raw`| y\|z | failed: no |`,
      '| v | not run |',
      '| w | passed when tried again |',
    ]);
  });
});
