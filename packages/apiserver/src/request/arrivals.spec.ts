import { expect } from 'chai';
import { Arrivals } from './arrivals.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('arrivals', () => {
  let arrivals: Arrivals<object>;
  let begun: string[];
  let late: number;
  const take = (connection: object, name: string): void => {
    arrivals.take(connection, (waited) => {
      begun.push(name);
      if (waited) late++;
    });
  };

  beforeEach(() => {
    arrivals = new Arrivals();
    begun = [];
    late = 0;
  });

  it('begin at once, as long as there are few', () => {
    const connection = {};
    take(connection, 'a');
    take(connection, 'b');
    expect(begun).to.deep.equal(['a', 'b']);
  });

  it('wait in a crowd, in which connections take turns', async () => {
    const crowd = {};
    for (let i = 0; i < 1_000; i++) take(crowd, `crowd-${i}`);
    take({}, 'somebody else');
    expect(begun).to.have.length.below(100);
    while (!begun.includes('somebody else')) await turn();
    expect(begun).to.have.length.below(200);
    while (begun.length < 1_001) await turn();
    expect(begun.filter((name) => name.startsWith('crowd'))).to.deep.equal(
      Array.from({ length: 1_000 }, (_, i) => `crowd-${i}`),
    );
  });

  it('let the sockets be looked at between some and others', async () => {
    const connection = {};
    const between: number[] = [];
    for (let i = 0; i < 500; i++) take(connection, `${i}`);
    while (begun.length < 500) {
      between.push(begun.length);
      await turn();
    }
    expect(between).to.have.length.above(5);
  });

  it('that take long are begun one at a time', async () => {
    let nowMs = 0;
    arrivals = new Arrivals(64, { now: () => nowMs });
    const slow = (name: string): void => {
      arrivals.take({}, () => {
        begun.push(name);
        nowMs += 12;
      });
    };
    for (let i = 0; i < 5; i++) slow(`${i}`);
    expect(begun).to.deep.equal(['0']);
    await turn();
    expect(begun).to.deep.equal(['0', '1']);
    while (begun.length < 5) await turn();
  });

  it('are told whether they have waited', async () => {
    const connection = {};
    for (let i = 0; i < 1_000; i++) take(connection, `${i}`);
    const atOnce = begun.length;
    while (begun.length < 1_000) await turn();
    expect(late)
      .to.equal(1_000 - atOnce)
      .and.to.be.above(0);
  });

  it('begin at once again when the crowd is gone', async () => {
    const connection = {};
    for (let i = 0; i < 300; i++) take(connection, `${i}`);
    while (begun.length < 300) await turn();
    await turn();
    take(connection, 'later');
    expect(begun.at(-1)).to.equal('later');
  });
});
