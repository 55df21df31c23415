import { expect } from 'chai';
import type { ExchangeTermination } from '../metrics/exchange-terminations.ts';
import { internalContext } from '../registry/rest/internal-context.ts';
import { abortReason } from '../request/server-request-context.ts';
import { ExchangeEnd } from './exchange-end.ts';

describe('the end of an exchange with a backend', () => {
  let ends: ExchangeTermination[];
  let request: AbortController;
  let end: ExchangeEnd;
  beforeEach(() => {
    ends = [];
    request = new AbortController();
    const { request: context } = internalContext({ groupResource: { group: '', resource: 'pods' } });
    end = new ExchangeEnd({ ...context, signal: request.signal }, () => ({
      ended: (reason) => {
        ends.push(reason);
      },
    }));
  });

  it('is told once', () => {
    end.over({ kind: 'completed' });
    end.over({ kind: 'client_left' });
    expect(ends).to.deep.equal([{ kind: 'completed' }]);
  });

  it('is the first reason that was known', () => {
    end.because({ kind: 'client_left' });
    end.because({ kind: 'broken', error: new TypeError('reset') });
    end.over({ kind: 'completed' });
    expect(ends).to.deep.equal([{ kind: 'client_left' }]);
  });

  for (const [aborted, kind] of [
    ['shutdown', 'shutting_down'],
    ['client', 'client_left'],
    ['deadline', 'timeout'],
  ] as const)
    it(`is ${kind} when the request was aborted by its ${aborted}, whatever its connections say`, () => {
      request.abort(abortReason(aborted));
      end.because({ kind: 'broken', error: new TypeError('context canceled') });
      end.over({ kind: 'completed' });
      expect(ends).to.deep.equal([{ kind }]);
    });

  it('is told nowhere where nobody counts', () => {
    const { request: context } = internalContext({ groupResource: { group: '', resource: 'pods' } });
    expect(() => {
      new ExchangeEnd(context, undefined).over({ kind: 'completed' });
    }).to.not.throw();
  });
});
