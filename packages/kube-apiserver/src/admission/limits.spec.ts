import { Quantity } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { checkRange } from './limits.ts';

const amounts = (cpu: string | undefined): ReadonlyMap<string, Quantity> =>
  new Map(cpu === undefined ? [] : [['cpu', Quantity.parse(cpu)]]);
const nines = (digits: number): string => '9'.repeat(digits);

/** What kube-apiserver 1.36.2 answers to pods in a namespace with such a LimitRange. */
const rows: readonly {
  readonly item: Readonly<Record<string, string>>;
  readonly request?: string;
  readonly limit?: string;
  readonly refusal?: RegExp;
}[] = [
  { item: { maxLimitRequestRatio: '2' }, request: '1', limit: '2' },
  { item: { maxLimitRequestRatio: '2' }, request: '1m', limit: '3m', refusal: /provided ratio is 3\.000000$/ },
  { item: { maxLimitRequestRatio: '1500m' }, request: '1', limit: '1600m', refusal: /provided ratio is 1\.600000$/ },
  { item: { maxLimitRequestRatio: nines(999) }, request: '1n', limit: nines(998) },
  {
    item: { maxLimitRequestRatio: '2' },
    request: '1',
    limit: nines(30),
    refusal: /ratio is 5076944270305263616\.000000$/,
  },
  { item: { max: nines(40) }, request: '1', limit: nines(39), refusal: /is 9{40}, but limit is 9{39}$/ },
  { item: { max: '1' }, request: '1', limit: '1001m', refusal: /but limit is 1001m$/ },
  { item: { max: '1' }, request: '1', limit: '9223372036854775807', refusal: /but limit is 9223372036854775807$/ },
  { item: { min: '1' }, request: '999m', limit: '2', refusal: /but request is 999m$/ },
  // In whole units, since the limit has no thousandths that fit.
  { item: { min: '1' }, request: '999m', limit: '9223372036854775807' },
  { item: { min: '1' }, limit: '1', refusal: /No request is specified$/ },
];

describe('limits of a range', () => {
  for (const { item, limit, refusal, request } of rows)
    it(`${JSON.stringify(item).slice(0, 40)} for ${request} up to ${limit?.slice(0, 20)}`, () => {
      const cpu = Object.fromEntries(Object.entries(item).map(([name, value]) => [name, { cpu: value }]));
      const refusals = checkRange({ type: 'Container', ...cpu }, amounts(request), amounts(limit));
      if (refusal === undefined) expect(refusals).to.deep.equal([]);
      else expect(refusals.join()).to.match(refusal);
    });
});
