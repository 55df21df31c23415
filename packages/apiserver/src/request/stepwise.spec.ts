import { expect } from 'chai';
import { Stepwise, type Steps } from './stepwise.ts';

describe('Stepwise', () => {
  let steps: number;
  function* three(): Steps<{ readonly steps: number }> {
    while (steps < 3) {
      steps++;
      yield;
    }
    return { steps };
  }
  beforeEach(() => {
    steps = 0;
  });

  it('rests between steps, and makes none twice', async () => {
    const stepwise = new Stepwise(three());
    const seen: number[] = [];
    const rest = (): Promise<void> => {
      seen.push(steps);
      return Promise.resolve();
    };
    const [first, second] = await Promise.all([stepwise.make(rest), stepwise.make(rest)]);
    expect(first).to.equal(second).and.deep.equal({ steps: 3 });
    expect(seen).to.deep.equal([1, 2, 3]);
    expect(stepwise.make(rest)).to.equal(first);
  });

  it('is made at once where nobody rests', () => {
    expect(new Stepwise(three()).makeNow()).to.deep.equal({ steps: 3 });
  });

  it('tells everybody what a step has thrown', () => {
    const broken = (function* (): Steps<object> {
      yield;
      throw new TypeError('broken');
    })();
    const next = broken.next.bind(broken);
    let asked = 0;
    broken.next = () => {
      if (asked++ > 10) throw new TypeError('endless');
      return next();
    };
    const stepwise = new Stepwise(broken);
    for (let i = 0; i < 2; i++) expect(() => stepwise.makeNow()).to.throw('broken');
  });

  it('goes on for others when somebody has gone', async () => {
    const stepwise = new Stepwise(three());
    const gone = Promise.resolve(stepwise.make(() => Promise.reject(new Error('gone'))));
    await gone.catch((error: unknown) => {
      expect(String(error)).to.equal('Error: gone');
    });
    expect(stepwise.makeNow()).to.deep.equal({ steps: 3 });
  });
});
