import { expect } from 'chai';
import { Turns } from './turns.ts';

describe('the turns of a request', () => {
  let now = 0;
  const steps: string[] = [];
  const others = (): Promise<void> =>
    new Promise((resolve) => {
      setImmediate(() => {
        steps.push('others');
        resolve();
      });
    });

  beforeEach(() => {
    now = 0;
    steps.length = 0;
  });

  it('are taken before a step on a large object, and not before one on a small one', async () => {
    const turns = new Turns({ now: () => now });
    expect(turns.before(Buffer.alloc(10_000))).to.equal(undefined);
    const served = others();
    await turns.before(Buffer.alloc(100_000));
    steps.push('large');
    await served;
    expect(steps).to.deep.equal(['others', 'large']);
  });

  it('are taken where steps were long, and others are served meanwhile', async () => {
    const turns = new Turns({ now: () => now });
    now = 9;
    expect(turns.next()).to.equal(undefined);
    now = 11;
    const served = others();
    await turns.next();
    steps.push('next');
    await served;
    expect(steps).to.deep.equal(['others', 'next']);
    expect(turns.next(), 'counts anew').to.equal(undefined);
  });

  it('are taken around a step', async () => {
    const turns = new Turns({ now: () => now });
    const step = turns.around((name: string) => {
      steps.push(name);
    });
    expect(step('short')).to.equal(undefined);
    now = 11;
    const served = others();
    await step('long');
    await served;
    expect(steps).to.deep.equal(['short', 'others', 'long']);
  });

  it('pass on what a step fails with', async () => {
    const turns = new Turns({ now: () => now });
    const step = turns.around(() => {
      throw new RangeError('refused');
    });
    expect(step).to.throw('refused');
    now = 11;
    const outcome = await Promise.resolve(step()).catch((error: unknown) => String(error));
    expect(outcome).to.equal('RangeError: refused');
  });
});
