import { expect } from 'chai';
import { check, type CheckedExpr } from '../checker.ts';
import { baseFunctions } from '../libraries/libraries.ts';
import { parseExpression } from '../syntax/parser.ts';
import { boolType, dynType, intType, listOf, stringType } from '../types/types.ts';
import { CelError, isCelError, ItemList } from '../values/values.ts';
import { CostError, Frame } from './frame.ts';
import { plan } from './planner.ts';

const variables = new Map([
  ['n', intType],
  ['b', boolType],
  ['s', stringType],
  ['l', listOf(intType)],
  ['any', dynType],
]);
const values = [5n, true, 'text', new ItemList([1n, 2n, 3n]), 'x'];

function checked(source: string): CheckedExpr {
  const environment = { variables, functions: baseFunctions };
  const parsed = parseExpression(source);
  if (!('kind' in parsed)) throw new TypeError(`${source} cannot be parsed`);
  const result = check(parsed, environment);
  if (!('expr' in result)) throw new TypeError(`${source} is wrong`);
  return result;
}

/** What an expression gives, what that cost, and how many slots it takes beyond the variables. */
function run(source: string, limit = 1_000): { readonly result: unknown; readonly cost: number; readonly own: number } {
  const { evaluate, slots } = plan(checked(source), variables.keys());
  const frame = new Frame([...values, ...Array.from({ length: slots - values.length })], limit);
  const result = evaluate(frame);
  return { result: isCelError(result) ? result.message : result, cost: frame.cost, own: slots - values.length };
}

describe('plans of expressions', () => {
  it('give the variables the first slots, and each comprehension its own', () => {
    expect(run('n').own).to.equal(0);
    expect(run('l.all(x, x > 0)').own).to.equal(2);
    expect(run('l.all(i, v, v > i)').own).to.equal(3);
    expect(run('l.all(x, l.all(y, x == y)) || b').own).to.equal(4);
  });

  it('cost what reading, calling and going through costs', () => {
    expect(run('n').cost).to.equal(1);
    expect(run('n + n').cost).to.equal(3);
    expect(run('b ? n : n + n')).to.include({ result: 5n, cost: 1 });
    expect(run('[n]').cost).to.equal(11);
  });

  it('have folded lists and maps of constants, which cost nothing', () => {
    expect(run('[1, 2, 3]').cost).to.equal(0);
    expect(run('{"a": 1}').cost).to.equal(0);
  });

  it('look up what is among constants without going through them', () => {
    const few = run('n in [5]').cost;
    expect(run(`n in [${Array.from({ length: 100 }, (_, i) => i).join()}]`)).to.include({ result: true, cost: few });
    expect(run('n in []')).to.include({ result: false, cost: 0 });
  });

  it('fail at once for what fails whenever it is evaluated', () => {
    expect(() => plan(checked('int("a") == n'), variables.keys())).to.throw(CelError, 'type conversion error');
    expect(() => plan(checked('[?optional.of(1), 1 / 0][0] == n'), variables.keys())).not.to.throw();
  });

  it('let either side of a logical operation decide alone', () => {
    expect(run('1 / (n - 5) == 1 || b').result).to.equal(true);
    expect(run('b || 1 / (n - 5) == 1').result).to.equal(true);
    expect(run('1 / (n - 5) == 1 && b').result).to.equal('division by zero');
    expect(run('any && b').result).to.equal('no such overload');
  });

  it('evaluate the chosen branch alone', () => {
    expect(run('b ? n : 1 / (n - 5)').result).to.equal(5n);
    expect(run('!b ? n : 1 / (n - 5)').result).to.equal('division by zero');
  });

  it('end a comprehension once it is decided', () => {
    expect(run('l.exists(x, x == 1)').cost).to.be.lessThan(run('l.exists(x, x == 3)').cost);
  });

  it('choose the overload by the value where the type does not tell', () => {
    expect(run('any + "y"').result).to.equal('xy');
    expect(run('any + 1').result).to.equal('no such overload');
  });

  it('are given up where they cost more than they may', () => {
    expect(() => run('l.map(x, l.map(y, x * y)).size() == 3', 20)).to.throw(CostError);
  });
});
