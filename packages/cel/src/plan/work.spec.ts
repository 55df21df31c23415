import { expect } from 'chai';
import { evaluated } from '../testing/evaluate.ts';

const text = (length: number): string => `"${'x'.repeat(length)}"`;
const twice = (times: number): string => `[1]${'.map(x, [x, x])'.repeat(times)}`;
const loop = (inner: string): string => `lists.range(1000).all(i, lists.range(1000).all(j, ${inner}))`;
const searched = (search: string): string =>
  `["${'lorem ipsum '.repeat(400)}"].all(t, lists.range(900).all(i, t.${search}("${'dolor '.repeat(40)}") < 0))`;

describe('what an evaluation works on', () => {
  const heavy: ReadonlyMap<string, string> = new Map([
    ['a list of a hundred million', 'lists.range(100000000).size() > 1'],
    ['a list of 2^53', 'lists.range(9007199254740992).size() > 1'],
    ['texts in the place of letters', `${text(700)}.replace("x", ${text(700)}).replace("x", ${text(700)}).size() > 1`],
    ['a text between letters', `${text(5_000)}.replace("", ${text(5_000)}).size() > 1`],
    ['texts that are joined', `lists.range(1000).map(i, ${text(20_000)}).join().size() > 1`],
    ['digits by the million', '"%.100000000f".format([1.0]).size() > 1'],
    ['lists that are added', `${loop('([1, 2, 3, 4, 5, 6, 7, 8, 9, 10] + lists.range(900)).size() > 0')}`],
    ['lists in lists, compared', `${twice(40)} == ${twice(40)}`],
    ['lists in lists, looked for', `${twice(40)} in [${twice(40)}]`],
    ['lists in lists, distinct', `[${twice(40)}, ${twice(40)}].distinct().size() > 1`],
    ['lists in lists, as text', `"%s".format([${twice(40)}]).size() > 1`],
    ['lists in lists, flattened', `${twice(40)}.flatten(50).size() > 1`],
    ['letters of a long text', loop(`${text(50_000)}.charAt(49999) == "x"`)],
    ['parts of a long text', loop(`${text(50_000)}.substring(40000, 49999).size() > 0`)],
    ['a text in a text, from behind', `${text(60_000)}.lastIndexOf(${text(30_000)} + "y") == -1`],
    ['a text in a text', `${text(60_000)}.indexOf("y" + ${text(30_000)}) == -1`],
    ['the size of a long text', loop(`${text(50_000)}.size() > 0`)],
    ['what is found in a long text', `${text(50_000)}.replace("x", "xxxxxxxxxxxxxxx").findAll("x").size() > 1`],
    ['a long list, sorted', 'lists.range(50000).reverse().sort().size() > 1'],
    ['long lists, intersected', 'sets.intersects(lists.range(50000), lists.range(50000).map(i, i + 60000))'],
  ]);
  for (const [name, source] of heavy)
    it(`gives up: ${name}`, () => {
      const startedAt = process.cpuUsage();
      const { exceeded } = evaluated(source);
      const { system, user } = process.cpuUsage(startedAt);
      expect(exceeded).to.equal(true);
      expect((system + user) / 1_000, 'ms of a processor').to.be.lessThan(1_500);
    });

  /** Expressions that hold, with what the reference charges for them. */
  const ordinary: ReadonlyMap<string, readonly [source: string, cost: number]> = new Map([
    [
      'the size of a list, for each item',
      ['[lists.range(5000)].all(l, l.all(i, i < size(l) && i < l.size()))', 60_027],
    ],
    [
      'the size and a key of a map, for each key',
      ['[lists.range(5000).transformMapEntry(i, n, {n: n})].all(m, m.all(k, k in m && k < size(m)))', 225_028],
    ],
    [
      'long texts in a list of them',
      [`[lists.range(900).map(i, ${text(1_000)} + string(i))].all(l, l.all(s, s in l))`, 918_928],
    ],
    [
      'long lists that differ at once',
      ['[lists.range(5000)].all(l, l.all(i, [dyn(-1), dyn(l)] != [dyn(i), dyn(l)]))', 155_027],
    ],
    ['a long text in a longer one', [searched('indexOf'), 437_416]],
    ['a long text in a longer one, from behind', [searched('lastIndexOf'), 437_416]],
  ]);
  for (const [name, [source, cost]] of ordinary)
    it(`evaluates: ${name}`, () => {
      expect(evaluated(source)).to.deep.equal({ result: true, cost, exceeded: false });
    });

  it('costs what the reference charges, where that is not far less', () => {
    expect(evaluated(`${text(1_000)}.size() == 1000`).cost).to.equal(2);
    expect(evaluated(`(lists.range(1000) + lists.range(1000)).size() == 2000`)).to.deep.equal({
      result: true,
      cost: 2025,
      exceeded: false,
    });
    expect(evaluated(`${text(1_000)}.replace("x", "yy").size() == 2000`).cost).to.equal(202);
    expect(evaluated('lists.range(20000).map(i, i).size() == 20000').exceeded).to.equal(false);
  });

  it('tells places in texts by characters', () => {
    const places: ReadonlyMap<string, unknown> = new Map<string, unknown>([
      ['"a😀b😀c".indexOf("😀", 2)', 3n],
      ['"a😀b😀c".lastIndexOf("😀")', 3n],
      ['"a😀b😀c".lastIndexOf("😀", 2)', 1n],
      ['"a😀b😀c".charAt(3)', '😀'],
      ['"a😀b😀c".charAt(5)', ''],
      ['"a😀b😀c".substring(1, 4)', '😀b😀'],
      ['"a😀b😀c".indexOf("c", 99)', -1n],
      ['"a😀b😀c".lastIndexOf("a", 99)', -1n],
    ]);
    for (const [source, result] of places) expect(evaluated(source).result, source).to.equal(result);
  });
});
