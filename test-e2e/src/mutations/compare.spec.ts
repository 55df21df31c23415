import { expect } from 'chai';
import type { Answer } from '../harness/client.ts';
import { compareAll, inWords, type CompareOptions, type Difference } from './compare.ts';
import { encodings, type Encoding } from './encodings.ts';
import type { TrialRequest } from './requests.ts';

describe('comparing two servers', () => {
  const server = (say: (body: string) => Promise<string>): { call(...args: unknown[]): Promise<Answer> } => ({
    call: async (_method, _path, options) => {
      const text = await say((options as { readonly body: string }).body);
      return { status: 200, headers: {}, text, bytes: Buffer.from(text), body: undefined };
    },
  });
  const echo = server((body) => Promise.resolve(body));

  function trials(): () => { readonly kind: string; readonly request: TrialRequest } {
    let made = 0;
    return () => ({ kind: 'v1/Pod', request: { method: 'POST', path: '/', contentType: '', body: String(made++) } });
  }

  function options(differences: Difference[], given: Partial<CompareOptions> = {}): CompareOptions {
    return {
      count: 20,
      signal: new AbortController().signal,
      encoding: encodings.get('json') as Encoding,
      answerWithinMs: 60_000,
      onDifference: (difference) => differences.push(difference),
      onProgress: () => undefined,
      ...given,
    };
  }

  it('tells what is answered otherwise, and counts', async () => {
    const differences: Difference[] = [];
    const own = server((body) => Promise.resolve(body === '7' ? 'x' : body));
    const totals = await compareAll([echo, own], trials(), options(differences));
    expect(differences.map(({ request }) => request.body)).to.deep.equal(['7']);
    expect(inWords(totals)).to.equal('20 requests compared (20 × 200), 1 answered otherwise');
  });

  it('does not count what the reference answers at other times', async () => {
    const differences: Difference[] = [];
    let asked = 0;
    const reference = server((body) => Promise.resolve(body === '7' ? `x${++asked % 3}` : body));
    const own = server((body) => Promise.resolve(body === '7' ? 'x0' : body));
    const totals = await compareAll([reference, own], trials(), options(differences));
    expect(inWords(totals)).to.equal(
      '20 requests compared (20 × 200), 1 by chance one way or another by the reference itself, 0 answered otherwise',
    );
    const other = server((body) => Promise.resolve(body === '7' ? 'x3' : body));
    expect((await compareAll([reference, other], trials(), options(differences))).differences).to.equal(1);
  });

  it('goes on where the reference hangs up or is silent, and says how often', async () => {
    const differences: Difference[] = [];
    const reference = server((body) => {
      if (body === '3') return Promise.reject(new Error('socket hang up'));
      return body === '4' ? new Promise(() => undefined) : Promise.resolve(body);
    });
    const totals = await compareAll([reference, echo], trials(), options(differences, { answerWithinMs: 5 }));
    expect(totals).to.include({ compared: 18, unanswered: 2, differences: 0 });
  });

  it('tells of requests that only the reference answers', async () => {
    const differences: Difference[] = [];
    const own = server((body) => (body === '5' ? Promise.reject(new Error('socket hang up')) : Promise.resolve(body)));
    await compareAll([echo, own], trials(), options(differences));
    expect(differences.map((difference) => difference.own)).to.deep.equal([undefined]);
  });

  it('ends with what it has when it is told to', async () => {
    const stopping = new AbortController();
    const own = server((body) => {
      if (body === '8') stopping.abort();
      return Promise.resolve(body);
    });
    const totals = await compareAll([echo, own], trials(), options([], { count: 1e6, signal: stopping.signal }));
    expect(totals.compared).to.be.within(9, 20);
  });
});
