import { expect } from 'chai';
import { FieldPath } from '@kubechain/apimachinery';
import { Stepwise } from '@kubechain/apiserver/resources';
import type { JSONSchemaProps, ValidationRule } from '../schema/json-schema-props.ts';
import { ValueSchema } from '../schema/value-schema.ts';
import { Correlation } from '../values/correlation.ts';
import { RuleRun } from './rule-run.ts';

interface Checked {
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** Runs the rules of a schema over a value; of an update if there is an old one. */
function check(schema: JSONSchemaProps, value: unknown, old?: unknown): Checked {
  const warnings: string[] = [];
  const correlation = old === undefined ? undefined : new Correlation(value, old, ValueSchema.of(schema));
  const steps = new RuleRun({ warn: (text) => warnings.push(text) }).check(schema, {
    path: FieldPath.of('spec'),
    value,
    old,
    correlation,
    isResource: false,
  });
  return { errors: new Stepwise(steps).makeNow().map(String), warnings };
}

const object = (properties: Record<string, JSONSchemaProps>, ...rules: readonly ValidationRule[]): JSONSchemaProps => ({
  type: 'object',
  properties,
  'x-kubernetes-validations': rules,
});
const whole: JSONSchemaProps = { type: 'integer' };
const text: JSONSchemaProps = { type: 'string' };

describe('RuleRun', () => {
  /** Schemas and values, with what rules say. */
  const rows: readonly (readonly [
    name: string,
    schema: JSONSchemaProps,
    value: unknown,
    ...errors: readonly string[],
  ])[] = [
    [
      'tells a message',
      object({ n: whole }, { rule: 'self.n > 1', message: ' too small ' }),
      { n: 1 },
      'spec: Invalid value: too small',
    ],
    [
      'tells the rule without a message',
      object({ n: whole }, { rule: 'self.n > 1' }),
      { n: 1 },
      'spec: Invalid value: failed rule: self.n > 1',
    ],
    ['says nothing of what holds', object({ n: whole }, { rule: 'self.n > 1' }), { n: 2 }],
    [
      'prints simple values',
      { ...text, 'x-kubernetes-validations': [{ rule: 'self == "a"' }] },
      'b',
      'spec: Invalid value: "b": failed rule: self == "a"',
    ],
    [
      'computes messages',
      object({ n: whole }, { rule: 'self.n > 1', messageExpression: '"n is " + string(self.n)' }),
      { n: 1 },
      'spec: Invalid value: n is 1',
    ],
    [
      'falls back when a message fails',
      object({ n: whole }, { rule: 'self.n > 1', message: 'no', messageExpression: '"" + string(1 / (self.n - 1))' }),
      { n: 1 },
      'spec: Invalid value: no',
    ],
    [
      'falls back when a message is empty',
      object({ n: whole }, { rule: 'self.n > 1', message: 'no', messageExpression: '" "' }),
      { n: 1 },
      'spec: Invalid value: no',
    ],
    [
      'falls back when a message has line breaks',
      object({ n: whole }, { rule: 'self.n > 1', message: 'no', messageExpression: '"a\\nb"' }),
      { n: 1 },
      'spec: Invalid value: no',
    ],
    [
      'has reasons',
      object(
        { n: whole },
        { rule: 'false', reason: 'FieldValueForbidden', message: 'a' },
        { rule: 'false', reason: 'FieldValueRequired', message: 'b' },
        { rule: 'false', reason: 'FieldValueDuplicate', message: 'c' },
      ),
      {},
      'spec: Forbidden: a',
      'spec: Required value: b',
      'spec: Duplicate value',
    ],
    [
      'reports at field paths',
      object(
        { n: whole, m: { type: 'object', additionalProperties: text } },
        { rule: 'false', fieldPath: '.n', message: 'a' },
        { rule: 'false', fieldPath: ".m['x.y']", message: 'b' },
      ),
      {},
      'spec.n: Invalid value: a',
      'spec.m[x.y]: Invalid value: b',
    ],
    [
      'visits items, fields and entries',
      object({
        l: { type: 'array', items: { ...whole, 'x-kubernetes-validations': [{ rule: 'self > 1', message: 'x' }] } },
        m: {
          type: 'object',
          additionalProperties: { ...text, 'x-kubernetes-validations': [{ rule: 'self != "b"', message: 'y' }] },
        },
      }),
      { l: [2, 1], m: { k: 'b' } },
      'spec.l[1]: Invalid value: 1: x',
      'spec.m[k]: Invalid value: "b": y',
    ],
    [
      'tells that items of what is no list have no type',
      object({
        o: {
          type: 'object',
          items: object(
            { n: { ...whole, 'x-kubernetes-validations': [{ rule: 'self > 9' }] } },
            { rule: 'self.n > 9' },
          ),
        },
      }),
      { o: [{ n: 1 }] },
      'spec.o[0]: Invalid value: "object": rule compiler initialization error: failed to convert to declType for CEL ' +
        'validation rules',
    ],
    [
      'runs no rules of fields without a type',
      object({
        u: { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-validations': [{ rule: 'self.b == 1' }] },
        'u-x': { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-validations': [{ rule: 'false' }] },
      }),
      { u: { b: 2 }, 'u-x': 1 },
    ],
    [
      'does not visit null',
      object({ s: { ...text, nullable: true, 'x-kubernetes-validations': [{ rule: 'false' }] } }),
      { s: null },
    ],
    [
      'tells failures',
      object({ m: { type: 'object', additionalProperties: whole } }, { rule: 'self.m["z"] == 1' }),
      { m: {} },
      'spec: Invalid value: "object": no such key: z evaluating rule: self.m["z"] == 1',
    ],
    [
      'tells mismatches of types',
      object({ i: { 'x-kubernetes-int-or-string': true } }, { rule: 'self.i > 1' }),
      { i: 'a' },
      `spec: Invalid value: "object": 'no such overload': call arguments did not match a supported operator, ` +
        'function or macro signature for rule: self.i > 1',
    ],
    [
      'reads escaped names',
      object(
        { 'a-b': whole, if: whole, 'x.y': whole, a__b: whole },
        { rule: 'self.a__dash__b + self.__if__ * self.if + self.x__dot__y + self.a__underscores__b == 4' },
      ),
      { 'a-b': 1, if: 1, 'x.y': 1, a__b: 1 },
    ],
    [
      'treats null fields as missing',
      object({ s: { ...text, nullable: true } }, { rule: '!has(self.s)' }),
      { s: null },
    ],
    [
      'reads formats',
      object(
        {
          d: { ...text, format: 'date' },
          t: { ...text, format: 'date-time' },
          p: { ...text, format: 'duration' },
          b: { ...text, format: 'byte' },
        },
        {
          rule:
            'self.d.getFullYear() == 2020 && self.t.getHours() == 5 && self.p == duration("90s") && self.b == ' +
            'b"hi"',
        },
      ),
      { d: '2020-01-01', t: '2020-01-01T05:00:00Z', p: '1m30s', b: 'aGk=' },
    ],
    [
      'compares lists of sets and maps without order',
      object(
        {
          s: { type: 'array', items: text, 'x-kubernetes-list-type': 'set' },
          m: {
            type: 'array',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['k'],
            items: object({ k: text, v: whole }),
          },
        },
        { rule: 'self.s == ["b", "a"] && self.s + ["a", "c"] == ["a", "b", "c"] && self.m + self.m == self.m' },
      ),
      {
        s: ['a', 'b'],
        m: [
          { k: 'x', v: 1 },
          { k: 'y', v: 2 },
        ],
      },
    ],
    ['ignores transition rules of new values', object({ n: whole }, { rule: 'self.n > oldSelf.n' }), { n: 0 }],
    [
      'runs transition rules with an optional old value',
      object({ n: whole }, { rule: 'oldSelf.hasValue()', optionalOldSelf: true, message: 'new' }),
      { n: 0 },
      'spec: Invalid value: new',
    ],
    [
      'stops where one rule costs too much',
      object(
        { l: { type: 'array', items: whole } },
        { rule: 'self.l.all(a, self.l.all(b, self.l.all(c, a + b + c >= 0)))' },
        { rule: 'false' },
      ),
      { l: Array.from({ length: 60 }, () => 1) },
      'spec: Invalid value: "object": \'operation cancelled: actual cost limit exceeded\': no further ' +
        'validation rules will be run due to call cost exceeds limit for rule: self.l.all(a, self.l.all(b, ' +
        'self.l.all(c, a + b + c >= 0)))',
    ],
  ];
  for (const [name, schema, value, ...errors] of rows)
    it(name, () => {
      expect(check(schema, value)).to.deep.equal({ errors, warnings: [] });
    });

  it('asks for the sizes of long lists and maps for each of their items', () => {
    const schema = object(
      {
        items: { type: 'array', items: object({ n: whole }) },
        labels: { type: 'object', additionalProperties: text },
      },
      { rule: 'self.items.all(i, i.n < size(self.items))' },
      { rule: 'self.labels.all(k, k in self.labels && size(self.labels) > 1)' },
    );
    const numbers = Array.from({ length: 5_000 }, (_, n) => n);
    const value = {
      items: numbers.map((n) => ({ n })),
      labels: Object.fromEntries(numbers.map((n) => [`k${n}`, 'v'])),
    };
    expect(check(schema, value).errors).to.deep.equal([]);
  });

  it('stops when all rules together have cost too much', () => {
    const items: JSONSchemaProps = {
      ...text,
      'x-kubernetes-validations': [{ rule: 'self.split("").all(a, self.split("").all(b, a == b))' }],
    };
    const { errors } = check(object({ l: { type: 'array', items } }), {
      l: Array.from({ length: 200 }, () => 'a'.repeat(100)),
    });
    expect(errors).to.have.length(1);
    expect(errors[0]).to.match(
      /^spec\.l\[\d+\]: Invalid value: "string": validation failed due to running out of cost budget, no further validation rules will be run$/,
    );
  });

  it('has others served between rules that have cost much, and between none that have not', () => {
    const list = object(
      Object.fromEntries(
        ['a', 'b', 'c', 'd'].map((name) => [
          name,
          {
            type: 'array',
            items: whole,
            'x-kubernetes-validations': [{ rule: 'self.all(a, self.all(b, a + b >= 0))' }],
          },
        ]),
      ),
    );
    const stepsOf = (length: number): number => {
      const items = Array.from({ length }, (_, i) => i);
      const value = { a: items, b: items, c: items, d: items };
      const target = { path: FieldPath.root, value, old: undefined, correlation: undefined, isResource: false };
      let steps = 1;
      for (const run = new RuleRun().check(list, target); run.next().done !== true;) steps++;
      return steps;
    };
    // The first time, each rule is compiled in a step.
    expect([stepsOf(5), stepsOf(5), stepsOf(200)]).to.deep.equal([5, 1, 5]);
  });

  it('compiles the rules of one value a rule in a step, also where two need them at the same time', () => {
    const rules = Array.from({ length: 10 }, (_, i) => ({ rule: `self.n != ${i}`, message: `not ${i}` }));
    const schema = object({ n: whole }, ...rules);
    const target = { path: FieldPath.root, value: { n: 7 }, old: undefined, correlation: undefined, isResource: false };
    const runs = [new RuleRun().check(schema, target), new RuleRun().check(schema, target)];
    let steps = 0;
    const found = new Map<number, string>();
    while (found.size < runs.length)
      for (const [i, run] of runs.entries()) {
        const { done, value } = run.next();
        if (done !== true) steps++;
        else if (value !== undefined) found.set(i, value.map(String).join());
      }
    expect(steps).to.equal(10);
    expect([...found.values()]).to.deep.equal(Array(2).fill('<nil>: Invalid value: not 7'));
  });

  describe('on updates', () => {
    const small = object({ n: whole, s: text }, { rule: 'self.n > 1', message: 'small' });
    it('only warns of what was wrong and stays', () => {
      expect(check(small, { n: 1 }, { n: 1 })).to.deep.equal({ errors: [], warnings: ['spec: Invalid value: small'] });
    });
    it('tells what is wrong and changes', () => {
      expect(check(small, { n: 1, s: 'b' }, { n: 1, s: 'a' })).to.deep.equal({
        errors: ['spec: Invalid value: small'],
        warnings: [],
      });
    });
    it('compares with oldSelf', () => {
      expect(
        check(object({ n: whole }, { rule: 'self.n >= oldSelf.n', message: 'less' }), { n: 1 }, { n: 2 }).errors,
      ).to.deep.equal(['spec: Invalid value: less']);
    });
    it('compares large objects as often as rules ask for', () => {
      const list: JSONSchemaProps = { type: 'array', items: object({ k: text, v: whole }) };
      const schema = object({ l: list, m: list }, { rule: 'self.l.all(i, i.v == 0 || self != oldSelf)' });
      const items = (v: number): object[] => Array.from({ length: 5_000 }, (_, i) => ({ k: `k${i}`, v }));
      expect(check(schema, { l: items(1), m: items(1) }, { l: items(2), m: items(1) }).errors).to.deep.equal([]);
    });
    it('finds the old items of lists with keys', () => {
      const item = object({ k: text, v: whole }, { rule: 'self.v >= oldSelf.v', message: 'less' });
      const list = (listType: 'map' | 'atomic'): JSONSchemaProps => ({
        type: 'array',
        items: item,
        'x-kubernetes-list-type': listType,
        'x-kubernetes-list-map-keys': ['k'],
      });
      const now = [
          { k: 'new', v: 0 },
          { k: 'a', v: 1 },
        ],
        before = [{ k: 'a', v: 2 }];
      expect(check(list('map'), now, before).errors).to.deep.equal(['spec[1]: Invalid value: less']);
      expect(check(list('atomic'), now, before).errors).to.deep.equal([]);
    });
  });
});
