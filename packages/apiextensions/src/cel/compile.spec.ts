import { expect } from 'chai';
import { compileExpression } from './compile.ts';
import { Frame } from './program.ts';
import { fromJSON } from './json-values.ts';
import { ruleFunctions } from './libraries.ts';
import { shapeOf } from './schema-type.ts';

const schema = {
  type: 'object',
  properties: {
    n: { type: 'integer' }, s: { type: 'string' }, 'a-b': { type: 'string' }, if: { type: 'string' }, l: { type: 'array', items: { type: 'integer' } },
    m: { type: 'object', additionalProperties: { type: 'integer' } }, set: { type: 'array', 'x-kubernetes-list-type': 'set', items: { type: 'string' } },
    either: { 'x-kubernetes-int-or-string': true }, when: { type: 'string', format: 'date-time' },
  },
} as const;
const value = { n: 5, s: 'héllo', 'a-b': 'x', if: 'y', l: [1, 2, 3], m: { a: 1 }, set: ['a', 'b'], either: '50%', when: '2024-02-03T04:05:06Z' };

function run(text: string): unknown {
  const shape = shapeOf(schema, false);
  if (shape === undefined) throw new TypeError('no shape');
  const program = compileExpression(text, new Map([['self', shape.type]]), ruleFunctions);
  if (typeof program === 'string') return program;
  const slots = Array.from<unknown>({ length: program.slots });
  slots[0] = fromJSON(value, shape);
  return program.run(new Frame(slots, 10_000));
}

describe('CEL expressions', () => {
  for (const text of [
    'self.n == 5 && self.s.size() == 5', 'self.a__dash__b == "x" && self.__if__ == "y"', 'self.l.all(x, x > 0) && self.l.exists_one(x, x == 2)',
    'self.l.all(i, v, v == i + 1)', 'self.l.map(x, x * 2) == [2, 4, 6]', 'self.l.filter(x, x > 1).sum() == 5', 'self.m.all(k, k == "a") && self.m["a"] == 1', 'has(self.s) && !has(self.m.zzz)',
    'self.set == ["b", "a"]', 'self.?s.orValue("") == "héllo" && !self.m[?"zzz"].hasValue()', 'type(self.either) == string && self.either.endsWith("%")', 'self.when < timestamp("2025-01-01T00:00:00Z") && self.when.getMonth() == 1',
    'duration("1h") == duration("60m")', 'quantity("1Gi").isGreaterThan(quantity("1G"))', '"a,b".split(",").join("-") == "a-b"', '"x1y22".findAll("[0-9]+") == ["1", "22"]',
    'ip("10.0.0.1").family() == 4 && !isIP("10.0.0.300") && ip.isCanonical("::1")', 'cidr("10.1.2.3/8").masked() == cidr("10.0.0.0/8") && cidr("10.0.0.0/8").containsIP("10.9.9.9") && !cidr("10.0.0.0/8").containsCIDR("11.0.0.0/9")',
    'sign(quantity("-1")) == -1 && [1, 2].reverse() == [2, 1]',
    'self.n > 4.5', '1 / 0 == 1 || true', 'sets.contains(self.l, [1, 3])', 'self.l.isSorted() && self.l.max() == 3',
  ]) it(`holds: ${text}`, () => { expect(run(text)).to.equal(true); });

  it('tells all mistakes, with their places', () => {
    expect(run('self.a-b == "x"')).to.equal("ERROR: <input>:1:5: undefined field 'a'\n | self.a-b == \"x\"\n | ....^\nERROR: <input>:1:8: undeclared reference to 'b' (in container '')\n | self.a-b == \"x\"\n | .......^");
    expect(run('self.n.startsWith("x")')).to.contain("found no matching overload for 'startsWith' applied to 'int.(string)'");
    expect(run('self.s ==')).to.contain("1:10: Syntax error: mismatched input '<EOF>'");
  });

  it('fails with the texts of cel-go', () => {
    expect(() => run('self.m["b"] == 1')).to.throw('no such key: b');
    expect(() => run('self.l[7] == 1')).to.throw('index out of bounds: 7');
    expect(() => run('1 / (self.n - 5) == 1')).to.throw('division by zero');
    expect(() => run('self.l.all(a, self.l.all(b, self.l.all(c, self.l.all(d, self.l.all(e, self.l.all(f, self.l.all(g, a + b + c + d + e + f + g > 0)))))))')).to.throw('operation cancelled: actual cost limit exceeded');
  });
});
