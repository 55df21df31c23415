import { expect } from 'chai';
import { metricsFlags } from './metrics-flags.ts';
import { allowedLabels } from './metric-labels.ts';
import { parseFlags } from './parse-flags.ts';

describe('--allow-metric-labels', () => {
  const parsed = (...values: readonly string[]): Record<string, Record<string, readonly string[]>> => {
    const argv = values.map((value) => `--allow-metric-labels=${value}`);
    const { values: flags } = parseFlags(argv, { metrics: metricsFlags });
    return Object.fromEntries(
      [...allowedLabels(flags.metrics['allow-metric-labels'])].map(([metric, labels]) => [
        metric,
        Object.fromEntries([...labels].map(([label, allowed]) => [label, [...allowed]])),
      ]),
    );
  };

  it('takes one label with its values', () => {
    expect(parsed('m,verb=GET,PUT')).to.deep.equal({ m: { verb: ['GET', 'PUT'] } });
  });
  it('takes several in quotes, and given several times', () => {
    expect(parsed('"m,verb=GET,PUT","m,code=200"', 'n,a=b')).to.deep.equal({
      m: { verb: ['GET', 'PUT'], code: ['200'] },
      n: { a: ['b'] },
    });
  });
  for (const [text, reason] of [
    ['m', 'm must be formatted as key=value'],
    ['m=a', 'must have keys with format `metricName,labelName`'],
    ['m,1=a', 'must have keys with format `metricName,labelName`'],
  ] as const) {
    it(`refuses ${text}`, () => {
      expect(() => parsed(text)).to.throw(reason);
    });
  }
});
