import { expect } from 'chai';
import { stopsAnswering, type PingAnswer, type Silence } from './child-probe.ts';

const never = new Promise<PingAnswer>(() => undefined);

/** Answers so many pings, then no more. */
function answering(
  times: number,
  answer: PingAnswer = { debugged: false },
): { ping(): Promise<PingAnswer>; asked: number } {
  return {
    asked: 0,
    ping() {
      return ++this.asked > times ? never : Promise.resolve(answer);
    },
  };
}

describe('probe of a child', () => {
  const bounds = { intervalMs: 2, patience: 3, signal: new AbortController().signal };

  it('finds one that stops answering, and asks it once meanwhile', async () => {
    const child = answering(5);
    expect(await stopsAnswering(child, bounds)).to.deep.equal({ silentMs: 6, starvedMs: 0 });
    expect(child.asked).to.equal(6);
  });
  it('leaves one alone that answers', async () => {
    expect(await stopsAnswering(answering(Infinity), { ...bounds, signal: AbortSignal.timeout(60) })).to.equal(
      undefined,
    );
  });
  it('leaves one alone that a debugger holds', async () => {
    const child = answering(2, { debugged: true });
    expect(await stopsAnswering(child, { ...bounds, signal: AbortSignal.timeout(60) })).to.equal(undefined);
  });
  it('waits for one that is given half of a processor until it has had as much, and tells once', async () => {
    const spared: Silence[] = [];
    const beginStarvation = () => () => 0.5;
    const found = await stopsAnswering(answering(0), { ...bounds, beginStarvation, onSpared: (of) => spared.push(of) });
    expect(found).to.deep.equal({ silentMs: 10, starvedMs: 5 });
    expect(spared).to.deep.equal([{ silentMs: 6, starvedMs: 3 }]);
  });
  it('has no patience with a moment of waiting, as there is on every machine', async () => {
    const found = await stopsAnswering(answering(0), { ...bounds, beginStarvation: () => () => 0.1 });
    expect(found).to.include({ silentMs: 6 });
  });
  it('waits six times as long for one that is given none, and no longer', async () => {
    const found = await stopsAnswering(answering(0), { ...bounds, beginStarvation: () => () => 1 });
    expect(found).to.deep.equal({ silentMs: 36, starvedMs: 36 });
  });
  it('looks at the processor of none that answers, and forgets what was before an answer', async () => {
    let begun = 0;
    const beginStarvation = (): (() => number) => {
      begun++;
      return () => 1;
    };
    const fast = { ...bounds, beginStarvation, signal: AbortSignal.timeout(60) };
    expect(await stopsAnswering(answering(Infinity), fast)).to.equal(undefined);
    expect(begun).to.equal(0);
    let asked = 0;
    const late = {
      ping: () => {
        if (++asked > 3) return never;
        return new Promise<PingAnswer>((resolve) => {
          setTimeout(() => {
            resolve({ debugged: false });
          }, 8);
        });
      },
    };
    expect(await stopsAnswering(late, { ...bounds, beginStarvation })).to.deep.equal({ silentMs: 36, starvedMs: 36 });
    expect(begun).to.be.greaterThan(1);
  });
});
