import { expect } from 'chai';
import { FieldPath } from '@kubechain/apimachinery';
import type { JSONSchemaProps, ValidationRule } from '../schema/json-schema-props.ts';
import type { RuleNode } from '../validation/rule-checker.ts';
import { celRuleChecker, celRuleCheckerOf } from './cel-rule-checker.ts';

const path = FieldPath.of('schema');
const rulesPath = 'schema.x-kubernetes-validations';
const whole: JSONSchemaProps = { type: 'integer' };

/** What is wrong with the rules of a node, and with the cost of all of them. */
function problems(
  schema: JSONSchemaProps,
  { root = schema, ...more }: Partial<RuleNode> & { readonly root?: JSONSchemaProps } = {},
): readonly string[] {
  const session = celRuleChecker.begin(root);
  const node: RuleNode = {
    schema,
    path,
    ancestry: [],
    uncorrelatable: undefined,
    unchanged: false,
    storedExpressions: new Set(),
    ...more,
  };
  return [...session.check(node), ...session.finish(FieldPath.of('root'))].map((error) =>
    String(error).replace(/\{"Rule".*?\}: /, ''),
  );
}

function withRule(properties: Record<string, JSONSchemaProps>, rule: ValidationRule): JSONSchemaProps {
  return { type: 'object', properties, 'x-kubernetes-validations': [rule] };
}

const tooMuch =
  '(try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and ' +
  'strings are declared)';
const texts = (maxItems?: number, maxLength?: number): JSONSchemaProps => ({
  type: 'array',
  ...(maxItems === undefined ? {} : { maxItems }),
  items: { type: 'string', ...(maxLength === undefined ? {} : { maxLength }) },
});

describe('celRuleChecker', () => {
  it('takes as many values of an enumeration as a body holds', () => {
    const values = Array.from({ length: 400_000 }, (_, i) => i.toString(36));
    expect(problems(withRule({ s: { type: 'string', enum: values } }, { rule: "self.s != 'a'" }))).to.deep.equal([]);
  });

  const rows: readonly (readonly [name: string, schema: JSONSchemaProps, ...problems: readonly string[]])[] = [
    ['accepts what compiles', withRule({ n: whole }, { rule: 'self.n > 1' })],
    [
      'refuses what does not',
      withRule({ n: whole }, { rule: 'self.z > 1' }),
      `${rulesPath}[0].rule: Invalid value: compilation failed: ERROR: <input>:1:5: undefined field 'z'\n | ` +
        `self.z > 1\n | ....^`,
    ],
    [
      'refuses what is no bool',
      withRule({ n: whole }, { rule: 'self.n' }),
      `${rulesPath}[0].rule: Invalid value: cel expression must evaluate to a bool`,
    ],
    [
      'refuses what always fails',
      withRule({ n: whole }, { rule: 'int("a") == self.n' }),
      `${rulesPath}[0].rule: Invalid value: program instantiation failed: type conversion error from 'string' to 'int'`,
    ],
    [
      'refuses messages that are no texts',
      withRule({ n: whole }, { rule: 'self.n > 1', messageExpression: 'self.n' }),
      `${rulesPath}[0].messageExpression: Invalid value: messageExpression must evaluate to a string`,
    ],
    [
      'refuses messages that do not compile',
      withRule({ n: whole }, { rule: 'self.n > 1', messageExpression: 'x' }),
      `${rulesPath}[0].messageExpression: Invalid value: messageExpression compilation failed: ERROR: ` +
        `<input>:1:1: undeclared reference to 'x' (in container '')\n | x\n | ^`,
    ],
    [
      'refuses optionalOldSelf without oldSelf',
      withRule({ n: whole }, { rule: 'self.n > 1', optionalOldSelf: true }),
      `${rulesPath}[0].optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule`,
    ],
    [
      'refuses values without a type',
      { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-validations': [{ rule: 'true' }] },
      `${rulesPath}: Internal error: internal error: failed to construct type information for ` +
        'x-kubernetes-validations rules: unable to convert structural schema to CEL declarations',
    ],
    [
      'refuses what may cost too much',
      withRule({ l: texts() }, { rule: 'self.l.all(a, self.l.all(b, a == b))' }),
      `${rulesPath}[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x ${tooMuch}`,
      `${rulesPath}[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for ` +
        'entire OpenAPIv3 schema',
      'root: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema ' +
        `exceeds budget by factor of more than 100x ${tooMuch}`,
    ],
    ['accepts it with limits', withRule({ l: texts(10, 10) }, { rule: 'self.l.all(a, self.l.all(b, a == b))' })],
    [
      'tells small factors exactly',
      withRule({ l: texts(1100, 10) }, { rule: 'self.l.all(a, self.l.all(b, a == b))' }),
      `${rulesPath}[0].rule: Forbidden: estimated rule cost exceeds budget by factor of 1.089660x ${tooMuch}`,
    ],
    [
      'counts the cost of messages',
      withRule(
        { l: texts() },
        { rule: 'true', messageExpression: 'self.l.map(a, self.l.map(b, a + b).join()).join()' },
      ),
      `${rulesPath}[0].messageExpression: Forbidden: estimated messageExpression cost exceeds budget by ` +
        `factor of more than 100x ${tooMuch}`,
      `${rulesPath}[0].messageExpression: Forbidden: contributed to estimated rule cost total exceeding cost ` +
        'limit for entire OpenAPIv3 schema',
      'root: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema ' +
        `exceeds budget by factor of more than 100x ${tooMuch}`,
    ],
  ];
  for (const [name, schema, ...expected] of rows)
    it(name, () => {
      expect(problems(schema)).to.deep.equal(expected);
    });

  it('multiplies costs by how often values can occur', () => {
    const item = withRule({ s: { type: 'string', maxLength: 1000 } }, { rule: 'self.s.matches("a+")' });
    const below = (list: JSONSchemaProps): readonly string[] =>
      problems(item, {
        root: { type: 'object', properties: { list } },
        ancestry: [
          { step: { kind: 'property', name: 'list' }, schema: list },
          { step: { kind: 'items' }, schema: item },
        ],
      });
    expect(below({ type: 'array', maxItems: 10, items: item })).to.deep.equal([]);
    expect(below({ type: 'array', items: item })[0]).to.match(/estimated rule cost exceeds budget by factor of 42\.3x/);
    expect(
      problems(item, {
        root: { type: 'array', items: item },
        ancestry: [{ step: { kind: 'items' }, schema: item }],
        unchanged: true,
      }).some((text) => text.includes('rule cost exceeds')),
    ).to.equal(false);
  });

  it('takes no functions of lists in new rules of 1.34, which 1.33 could not read', () => {
    const release = { since: (version: string) => version <= '1.34' };
    const schema = withRule({ l: texts(10, 10) }, { rule: 'self.l.distinct() == self.l.sortBy(a, a)' });
    const told = (storedExpressions: ReadonlySet<string>): number =>
      celRuleCheckerOf({ release })
        .begin(schema)
        .check({ schema, path, ancestry: [], uncorrelatable: undefined, unchanged: false, storedExpressions }).length;
    expect(problems(schema)).to.deep.equal([]);
    expect(told(new Set())).to.equal(1);
    expect(told(new Set(['self.l.distinct() == self.l.sortBy(a, a)']))).to.equal(0);
  });

  it('refuses oldSelf where old values cannot be told', () => {
    const schema = withRule({ n: whole }, { rule: 'self.n >= oldSelf.n' });
    expect(problems(schema, { uncorrelatable: FieldPath.of('up') })).to.deep.equal([
      `${rulesPath}[0].rule: Invalid value: "self.n >= oldSelf.n": oldSelf cannot be used on the ` +
        'uncorrelatable portion of the schema within up',
    ]);
  });

  it('checks defaults as values that stay and as new ones', () => {
    const schema = withRule({ n: whole }, { rule: 'oldSelf.hasValue()', optionalOldSelf: true, message: 'not new' });
    expect(
      celRuleChecker.checkDefault(schema, { n: 1 }, { path: FieldPath.of('default'), isRoot: false }).map(String),
    ).to.deep.equal(['default: Invalid value: not new']);
    expect(
      celRuleChecker.checkDefault(withRule({ n: whole }, { rule: 'self.n == 1' }), { n: 1 }, { path, isRoot: false }),
    ).to.deep.equal([]);
  });

  it('tells what rules of defaults have no type or another than bool', () => {
    const told = (schema: JSONSchemaProps, value: unknown): readonly string[] =>
      celRuleChecker.checkDefault(schema, value, { path: FieldPath.of('default'), isRoot: false }).map(String);
    expect(
      told(
        { 'x-kubernetes-preserve-unknown-fields': true, 'x-kubernetes-validations': [{ rule: 'self.b == 1' }] },
        { b: 1 },
      ),
    ).to.deep.equal([
      'default: Invalid value: "": rule compiler initialization error: failed to convert to declType for CEL ' +
        'validation rules',
    ]);
    expect(told({ type: 'string', 'x-kubernetes-validations': [{ rule: '"a"' }] }, 'x')).to.deep.equal([
      'default: Invalid value: "string": rule compile error: cel expression must evaluate to a bool',
    ]);
  });
});
