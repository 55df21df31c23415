import { expect } from 'chai';
import { compiled, evaluated } from '../testing/evaluate.ts';
import { isCelError } from '../values/values.ts';
import type { SizeHints } from './estimate.ts';

/** As of a schema that allows ten items of each list, map and text. */
const ten: SizeHints = (path) => ({
  min: 0,
  max: ['l', 'm', 's'].includes(path[0] ?? '') && path.length === 1 ? 10 : 0,
});

/** What evaluating costs with l = [3, 1, 2], m = {a, b} and s of five characters; and at most, by its estimate. */
const rows: readonly (readonly [source: string, actual: number, estimated: number])[] = [
  ['n == 5', 2, 1],
  ['s == "héllo"', 2, 2],
  ['s.startsWith("hé")', 2, 2],
  ['s.contains("l")', 2, 2],
  ['s.matches("l+")', 2, 3],
  ['s + s == s', 5, 6],
  ['size(s) == 5', 3, 3],
  ['m.a == 1', 3, 2],
  ['m["a"] == 1', 3, 2],
  ['l[0] == 3', 3, 2],
  ['l[n - 5] == 3', 5, 4],
  ['has(m.a)', 1, 1],
  ['has(m.a) ? m.a == 1 : false', 4, 3],
  ['n in [1, 2, 5]', 1, 14],
  ['3 in l', 4, 11],
  ['l.all(x, x > 0)', 17, 52],
  ['l.exists(x, x == 1)', 17, 52],
  ['l.map(x, x + 1) == l', 46, 154],
  ['l.filter(x, x > 1).size() == 2', 36, 164],
  ['[n, n] == l', 14, 14],
  ['[1, 2].size() == 2', 2, 12],
  ['{"a": n}.a == 5', 34, 32],
  ['l.sort() == l', 32, 214],
  ['l.slice(0, 2) == l', 16, 16],
  ['l.distinct() == l', 32, 214],
  ['s.upperAscii() == s', 4, 4],
  ['"%s".format([s]) == s', 14, 14],
  ['quantity("1Gi").isInteger()', 2, 2],
  ['ip("10.0.0.1").family() == 4', 3, 3],
  ['cidr("10.0.0.0/8").containsIP("10.0.0.1")', 3, 6],
  ['sets.contains(l, [1])', 5, 22],
  ['none.orValue(1) == 1', 2, 3],
  ['1 / 0 == 1 || n == 5', 4, 3],
];

describe('costs', () => {
  for (const [source, actual, estimated] of rows) {
    it(source, () => {
      const program = compiled(source);
      expect({
        actual: evaluated(source).cost,
        estimated: typeof program === 'string' ? program : program.estimateCost(ten).max,
      }).to.deep.equal({ actual, estimated });
    });
  }

  it('end an evaluation when they pass the limit', () => {
    const { result, exceeded } = evaluated('l.all(a, l.all(b, l.all(c, a + b + c > 0)))', 100);
    expect({ exceeded, text: isCelError(result) ? result.message : result }).to.deep.equal({
      exceeded: true,
      text: 'operation cancelled: actual cost limit exceeded',
    });
  });
});
