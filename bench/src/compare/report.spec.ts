import { expect } from 'chai';
import { figureTable, table } from './report.ts';
import type { Sample } from './round.ts';

const sample = (micros: number, perSecond: number, p99Ms: number): Sample => ({
  micros,
  perSecond,
  p99Ms,
  units: micros / 5,
  byProcess: new Map([['one', micros]]),
});
const cells = (text: string): string[][] =>
  text.split('\n').map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  );

describe('tables of what is compared', () => {
  const row = {
    name: 'GET',
    samples: new Map([
      ['chain', [sample(10, 100, 2), sample(20, 50, 4)]],
      ['all-in-one', [sample(5, 200, 1), sample(5, 200, 1)]],
      ['reference', [sample(30, 100, 4), sample(30, 100, 4)]],
    ]),
  };

  it('tell each topology beside the reference, ahead above 1', () => {
    const [head, , body] = cells(table([row], { ours: ['chain', 'all-in-one'], others: ['reference'] }));
    const told = Object.fromEntries(head!.map((name, i) => [name, body![i]!]));
    expect(told).to.include({
      units: '4.0',
      'all-in-one µs': '5',
      'reference µs': '30',
      'processor time': '3.00 (1.50–3.00)',
      'a second': '1.00 (0.50–1.00)',
      p99: '2.00 (1.00–2.00)',
      'all-in-one: processor time': '6.00 (6.00–6.00)',
      'all-in-one: p99': '4.00 (4.00–4.00)',
    });
  });

  it('name whom figures are beside when there are several', () => {
    const values = new Map([
      ['chain', [100, 200]],
      ['baseline', [100, 100]],
      ['reference', [400, 400]],
    ]);
    const [head, , body] = cells(
      figureTable([{ name: 'start', values }], { ours: ['chain'], others: ['baseline', 'reference'] }),
    );
    expect(head!.slice(-2)).to.deep.equal(['beside baseline: ratio', 'beside reference: ratio']);
    expect(body).to.deep.equal(['start', '200', '100', '400', '1.00 (0.50–1.00)', '4.00 (2.00–4.00)']);
  });
});
