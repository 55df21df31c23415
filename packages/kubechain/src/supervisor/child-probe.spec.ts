import { expect } from 'chai';
import { stopsAnswering, type PingAnswer } from './child-probe.ts';

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
  const bounds = { intervalMs: 2, patience: 3 };

  it('finds one that stops answering, and asks it once meanwhile', async () => {
    const child = answering(5);
    expect(await stopsAnswering(child, { ...bounds, signal: new AbortController().signal })).to.equal(true);
    expect(child.asked).to.equal(6);
  });
  it('leaves one alone that answers', async () => {
    expect(await stopsAnswering(answering(Infinity), { ...bounds, signal: AbortSignal.timeout(60) })).to.equal(false);
  });
  it('leaves one alone that a debugger holds', async () => {
    const child = answering(2, { debugged: true });
    expect(await stopsAnswering(child, { ...bounds, signal: AbortSignal.timeout(60) })).to.equal(false);
  });
});
