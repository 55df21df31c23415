import { expect } from 'chai';
import { RestCollector, type ProcessState } from './rest-collector.ts';

const mega = 1024 * 1024;

describe('RestCollector', () => {
  let now: ProcessState;
  let collections: number;
  let collector: RestCollector;
  beforeEach(() => {
    now = { load: 0.001, heapBytes: 60 * mega, usedBytes: 35 * mega, externalBytes: 6 * mega };
    collections = 0;
    collector = new RestCollector(
      () => now,
      () => {
        collections++;
        now = { ...now, heapBytes: 26 * mega, usedBytes: 25 * mega };
      },
    );
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
});
