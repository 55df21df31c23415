import type { ObjectRecord } from '@kubechain/shared-storage';
import { expect } from 'chai';
import { RecordViews } from './record-views.ts';

describe('views of records', () => {
  const record = (key: string): ObjectRecord => ({ key }) as ObjectRecord;
  const owner = {};

  /** Makes views of 1,000 bytes and counts them. */
  class Maker {
    readonly made: string[] = [];
    readonly make = ({ key }: ObjectRecord): { value: string; bytes: number } => {
      this.made.push(key);
      return { value: `view of ${key}`, bytes: 1000 };
    };
  }

  it('are made once for each owner', () => {
    const views = new RecordViews();
    const { made, make } = new Maker();
    const a = record('a');
    expect(views.get(a, owner, make)).to.equal('view of a');
    expect(views.get(a, owner, make)).to.equal('view of a');
    expect(made).to.deep.equal(['a']);
    views.get(a, {}, make);
    views.get(record('a'), owner, make);
    expect(made).to.deep.equal(['a', 'a', 'a']);
    expect(views.get(a, owner, make)).to.equal('view of a');
    expect(made).to.have.length(3);
  });

  it('are dropped under the bound, the ones not asked for first', () => {
    const views = new RecordViews({ halfBytes: 4096 });
    const { made, make } = new Maker();
    const kept = record('kept');
    const forgotten = record('forgotten');
    views.get(forgotten, owner, make);
    for (let i = 0; i < 20; i++) {
      views.get(kept, owner, make);
      views.get(record(`other-${i}`), owner, make);
    }
    expect(made.filter((key) => key === 'kept')).to.have.length(1);
    views.get(forgotten, owner, make);
    expect(made.filter((key) => key === 'forgotten')).to.have.length(2);
  });
});
