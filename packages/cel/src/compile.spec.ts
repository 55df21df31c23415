import { expect } from 'chai';
import { compiled, evaluated } from './testing/evaluate.ts';
import { isCelError } from './values/values.ts';

describe('CEL expressions', () => {
  describe('hold', () => {
    for (const source of [
      'n == 5 && s.size() == 5 && size("😀") == 1',
      'l.all(x, x > 0) && l.exists_one(x, x == 2) && !l.exists(x, x > 3)',
      'l.all(i, v, v > 0 && i < 3) && m.exists(k, v, k == "b" && v == 2)',
      'l.map(x, x * 2) == [6, 2, 4] && l.map(x, x > 1, x) == [3, 2] && l.filter(x, x > 1).sum() == 5',
      'm.all(k, k == "a" || k == "b") && m["a"] == 1 && m.a == 1',
      'has(m.a) && !has(m.zzz)',
      'm.?zzz.orValue(7) == 7 && m[?"a"].hasValue() && l[?9] == optional.none()',
      'm.?a.optMap(x, x + 1) == optional.of(2) && m.?a.optFlatMap(x, optional.of(x)) == optional.of(1)',
      '[?m.?a, ?m.?zzz] == [1] && {?"x": m.?zzz, ?"y": m.?a} == {"y": 1}',
      'l.existsOne(i, v, v == 2) && l.transformList(i, v, i * v) == [0, 1, 4] && l.transformMap(i, v, v > 1, ' +
        'v) == {0: 3, 2: 2} && m.transformMapEntry(k, v, {v: k}) == {1: "a", 2: "b"}',
      '1 / 0 == 1 || true',
      '!(false && 1 / 0 == 1)',
      '[0, 1].exists(x, 1 / x == 1)',
      'n > 4.5 && 5u < 6 && 1.0 <= 1',
      'type(any) == string && type(1) == int && type([]) == list && type(type(1)) == type',
      '1 == dyn(1.0) && 1u == dyn(1) && !(dyn("1") == 1)',
      'b"\\xff" != b"a" && bytes("é") == b"\\303\\251" && r"\\d" == "\\\\d"',
      '0x1F == 31 && -0x1F == -31 && 1e3 == 1000.0 && .5 == 0.5',
      '"""a"b""" == "a\\"b"',
      'n in l ? false : 3 in l',
      '"a" in m && !("z" in m)',
      'timestamp("2024-02-29T23:00:00Z").getDayOfYear() == 59',
      'timestamp("2024-03-01T00:30:00+01:00").getDate() == 29 && ' +
        'timestamp("2024-02-29T23:30:00Z").getDate("+01:00") == 1',
      'timestamp("2024-01-01T00:00:00Z").getHours("America/New_York") == 19',
      'string(timestamp("2024-01-01T00:00:00.5+02:00")) == "2024-01-01T00:00:00.5+02:00"',
      'duration("90m").getHours() == 1 && string(duration("1h1.5s")) == "3601.5s"',
      'timestamp("2024-01-02T00:00:00Z") - timestamp("2024-01-01T00:00:00Z") == duration("24h")',
      'string(1.5e7) == "1.5e+07" && string(0.0001) == "0.0001" && double("1e3") == 1000.0',
    ])
      it(source, () => {
        expect(evaluated(source).result).to.equal(true);
      });
  });

  describe("fail with the reference's texts", () => {
    for (const [source, text] of [
      ['m["z"] == 1', 'no such key: z'],
      ['l[7] == 1', 'index out of bounds: 7'],
      ['l[dyn("a")] == 1', "unsupported index type 'string' in list"],
      ['1 / (n - 5) == 1', 'division by zero'],
      ['1 % (n - 5) == 1', 'modulus by zero'],
      ['9223372036854775807 + n > 0', 'integer overflow'],
      ['uint(n) - 6u == 0u', 'unsigned integer overflow'],
      ['any + 1 == 6', 'no such overload'],
      ['string(dyn(m)) == s', 'no such overload: string(map)'],
      ['any.getHours() == 1', 'no such overload: getHours(string)'],
      ['int(s) == 1', "type conversion error from 'string' to 'int'"],
      ['timestamp(s) == timestamp(s)', "type conversion error from 'string' to 'google.protobuf.Timestamp'"],
      ['none.value() == 1', 'optional.none() dereference'],
      [
        '{"a": 1}.transformMapEntry(k, v, {"x": v}).x == 1 && ["a", "a"].transformMapEntry(i, v, {v: i}) == {}',
        'insert failed: key a already exists',
      ],
      ['[1, 2].exists_one(x, 1 / (x - 1) == 1)', 'division by zero'],
      ['s.matches(s + "(")', 'error parsing regexp: missing closing ): `héllo(`'],
    ] as const) {
      it(source, () => {
        const { result } = evaluated(source);
        expect(isCelError(result) ? result.message : result).to.equal(text);
      });
    }
  });

  describe('that are wrong', () => {
    for (const [source, text] of [
      ['zzz == 1', "undeclared reference to 'zzz' (in container '')"],
      ['n == "a"', "found no matching overload for '_==_' applied to '(int, string)'"],
      ['n + 1.5 == 6.5', "found no matching overload for '_+_' applied to '(int, double)'"],
      ['n.startsWith("x")', "found no matching overload for 'startsWith' applied to 'int.(string)'"],
      ['n && true', "expected type 'bool' but found 'int'"],
      ['n ? 1 : 2', "found no matching overload for '_?_:_' applied to '(int, int, int)'"],
      ['[1, "a"]', "expected type 'int' but found 'string'"],
      ['{"a": 1, 2: 2}', "expected type 'string' but found 'int'"],
      ['n.all(x, true)', "expression of type 'int' cannot be range of a comprehension (must be list, map, or dynamic)"],
      ['l.all(x, x)', "expected type 'bool' but found 'int'"],
      ['l.existsOne(x, x == 1)', "undeclared reference to 'existsOne' (in container '')"],
      ['n.x', "type 'int' does not support field selection"],
      ['l.all(1, true)', 'argument must be a simple name'],
      ['l.map(1, 2)', 'argument is not an identifier'],
      ['l.all(i, i, true)', 'duplicate variable name: i'],
      ['l.exists(__result__, true)', 'iteration variable overwrites accumulator variable'],
      ['has(n)', 'invalid argument to has() macro'],
      ['m.?a.optMap(1, 2)', 'optMap() variable name must be a simple identifier'],
      ['namespace == 1', 'reserved identifier: namespace'],
      ['9223372036854775808 == 1', 'invalid int literal'],
      ['[?1]', "expected type 'optional_type(int)' but found 'int'"],
      ['Foo{a: 1}', "undeclared reference to 'Foo' (in container '')"],
      ['quantity("1").x', "unexpected failed resolution of 'kubernetes.Quantity'"],
      ['duration("1d") > duration("1h")', 'invalid duration argument'],
      ['s.matches("(")', 'invalid matches argument'],
      ['timestamp("x") > timestamp("y")', 'invalid timestamp argument'],
      ['"%d".format([s])', 'error during formatting: decimal clause can only be used on integers, was given string'],
      ['"%d".format([])', 'index 0 out of range'],
      ['"a".format([1])', 'too many arguments supplied to string.format (expected 0, got 1)'],
      ['"%z".format([1])', 'could not parse formatting clause: unrecognized formatting clause "z"'],
      ['l.existsOne(x, x == 1)', "undeclared reference to 'existsOne' (in container '')"],
      ['type == 1', "found no matching overload for '_==_' applied to '(type(type), int)'"],
      ['m.`a`', "unsupported syntax: '`'"],
    ] as const)
      it(source, () => {
        expect(compiled(source)).to.be.a('string').that.includes(`: ${text}`);
      });

    it('tells all mistakes in order, each with a pointer below its place', () => {
      expect(compiled('n == "ü" &&\n\tzz > yy')).to.equal(
        [
          "check: ERROR: <input>:1:3: found no matching overload for '_==_' applied to '(int, string)'",
          ' | n == "ü" &&',
          ' | ..^',
          "ERROR: <input>:2:2: undeclared reference to 'zz' (in container '')",
          ' |  zz > yy',
          ' | .^',
          "ERROR: <input>:2:7: undeclared reference to 'yy' (in container '')",
          ' |  zz > yy',
          ' | ......^',
        ].join('\n'),
      );
      expect(compiled('"ü" + n == s')).to.include(' | "ü" + n == s\n | .．..^');
    });

    it('are no programs if they fail whenever they are evaluated', () => {
      expect(compiled('int("a") == 1')).to.equal("plan: type conversion error from 'string' to 'int'");
      expect(compiled('s.find("(") == ""')).to.equal('plan: error parsing regexp: missing closing ): `(`');
    });
  });

  it('know the variables that they read', () => {
    const program = compiled('l.exists(n, n > 0) && s == s');
    expect(typeof program === 'string' ? program : [...program.reads].sort()).to.deep.equal(['l', 'n', 's']);
  });
});
