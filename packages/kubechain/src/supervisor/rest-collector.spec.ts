import { expect } from 'chai';
import { RestCollector, type ProcessState } from './rest-collector.ts';

const mega = 1024 * 1024;

describe('RestCollector', () => {
  let now: ProcessState;
  let collections: number;
  let givenBack: number;
  let collector: RestCollector;
  beforeEach(() => {
    now = {
      load: 0.001,
      ranMs: 2,
      waitedMs: 0.2,
      heapBytes: 60 * mega,
      usedBytes: 35 * mega,
      externalBytes: 6 * mega,
      residentBytes: 100 * mega,
    };
    collections = givenBack = 0;
    collector = new RestCollector(() => now, {
      collect: () => {
        collections++;
        now = { ...now, heapBytes: 26 * mega, usedBytes: 25 * mega, residentBytes: 70 * mega };
      },
      giveBack: () => {
        givenBack++;
        now = { ...now, residentBytes: 60 * mega };
      },
    });
  });
  const looks = (count: number): number => {
    for (let i = 0; i < count; i++) collector.look();
    return collections;
  };

  it('collects once a process has come to rest', () => {
    expect([looks(1), looks(1), looks(10)]).to.deep.equal([0, 1, 1]);
  });

  it('leaves a process alone that works', () => {
    now = { ...now, load: 0.05 };
    expect(looks(10)).to.equal(0);
  });

  it('waits for a busy machine, which would hold the process for long, but not for ever', () => {
    now = { ...now, waitedMs: 5 };
    expect(looks(10)).to.equal(0);
    now = { ...now, waitedMs: 1 };
    expect([looks(1), looks(1), givenBack]).to.deep.equal([0, 1, 1]);
    now = { ...now, waitedMs: 5, load: 0.05, heapBytes: 60 * mega };
    looks(1);
    now = { ...now, load: 0.001 };
    expect([looks(14), looks(1)]).to.deep.equal([1, 2]);
  });

  it('begins to count anew after work', () => {
    looks(1);
    now = { ...now, load: 0.9 };
    looks(1);
    now = { ...now, load: 0 };
    expect([looks(1), looks(1)]).to.deep.equal([0, 1]);
  });

  it('collects again when as much has come that it is worth it', () => {
    looks(2);
    now = { ...now, heapBytes: 29 * mega };
    expect(looks(5)).to.equal(1);
    now = { ...now, heapBytes: 30 * mega };
    expect(looks(1)).to.equal(2);
  });

  it('counts what is held outside of the heap', () => {
    looks(2);
    now = { ...now, externalBytes: 10 * mega };
    expect(looks(1)).to.equal(2);
  });

  it('leaves large heaps to V8, whose collections of them nobody waits for', () => {
    now = { ...now, heapBytes: 400 * mega, usedBytes: 193 * mega };
    expect(looks(10)).to.equal(0);
  });

  it('gives back what is free when it has collected', () => {
    looks(10);
    expect({ collections, givenBack }).to.deep.equal({ collections: 1, givenBack: 1 });
  });

  it('gives back what has been freed since, too, where the heap is no larger', () => {
    looks(2);
    now = { ...now, residentBytes: 63 * mega };
    looks(5);
    expect(givenBack).to.equal(1);
    now = { ...now, residentBytes: 64 * mega };
    looks(5);
    expect({ collections, givenBack }).to.deep.equal({ collections: 1, givenBack: 2 });
  });

  it('gives back what a process with a large heap has free', () => {
    now = { ...now, usedBytes: 193 * mega };
    looks(10);
    expect({ collections, givenBack }).to.deep.equal({ collections: 0, givenBack: 1 });
  });
});
