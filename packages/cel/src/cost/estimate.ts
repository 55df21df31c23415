import type { CheckedExpr } from '../checker.ts';
import { accumulator } from '../syntax/macros.ts';
import type { CallExpr, Expr, FoldExpr } from '../syntax/expr.ts';
import { isScalar } from '../types/types.ts';
import { codePoints } from '../values/values.ts';
import { estimateLibraryCall } from './call-estimates.ts';
import type { CallEstimate, EstimatedCall, EstimatedNode } from './call-estimates.ts';
import { accessCost, listCost, mapCost, patternFactor, structCost, textFactor } from './constants.ts';
import { either, exactly, maxCost, noCost, product, scaled, sum, unknownSize } from './ranges.ts';
import type { Range } from './ranges.ts';

/**
 * How large the value at a path from a variable can be, if something bounds it. Steps are fields, `@items`, `@keys`,
 * `@values` and `@indices`.
 */
export type SizeHints = (path: readonly string[]) => Range | undefined;

/** Sizes of a container's keys (or positions) and values. */
interface EntrySizes {
  readonly container: 'list' | 'map';
  readonly key: Range;
  readonly value: Range;
}
interface Local {
  readonly path: readonly string[];
  readonly size: Range | undefined;
  readonly entries: EntrySizes | undefined;
}

/** What a checked expression may cost (cel-go checker/cost.go, 0.26). */
export function estimateCost(checked: CheckedExpr, hints: SizeHints): Range {
  return new Estimator(checked, hints).cost(checked.expr);
}

class Estimator {
  readonly #checked: CheckedExpr;
  readonly #hints: SizeHints;
  readonly #paths = new Map<Expr, readonly string[]>();
  readonly #sizes = new Map<Expr, Range>();
  readonly #entries = new Map<Expr, EntrySizes>();
  readonly #locals = new Map<string, Local[]>();

  constructor(checked: CheckedExpr, hints: SizeHints) {
    this.#checked = checked;
    this.#hints = hints;
  }

  cost(expr: Expr): Range {
    switch (expr.kind) {
      case 'const':
        return noCost;
      case 'ident':
        this.#paths.set(expr, this.#local(expr.name)?.path ?? [expr.name]);
        return exactly(accessCost);
      case 'select': {
        const reference = this.#checked.referenceOf(expr);
        if (reference !== undefined) {
          // Dots in the name of a type or variable select nothing.
          this.#paths.set(expr, [reference.kind === 'variable' ? reference.name : expr.field]);
          return exactly(accessCost);
        }
        const operand = this.cost(expr.operand);
        // Asking whether a field is there costs nothing beyond what it is a field of.
        if (expr.test) return operand;
        this.#paths.set(expr, [...this.#path(expr.operand), expr.field]);
        const { kind } = this.#checked.typeOf(expr.operand);
        return kind === 'map' || kind === 'object' || kind === 'param' ? sum(operand, exactly(accessCost)) : operand;
      }
      case 'call':
        return this.#call(expr);
      case 'list': {
        const costs = expr.items.map((item) => this.cost(item));
        this.#entries.set(expr, { container: 'list', key: exactly(1), value: this.#covering(expr.items) });
        return sum(...costs, exactly(listCost));
      }
      case 'map': {
        const costs = expr.entries.flatMap(({ key, value }) => [this.cost(key), this.cost(value)]);
        this.#entries.set(expr, {
          container: 'map',
          key: this.#covering(expr.entries.map(({ key }) => key)),
          value: this.#covering(expr.entries.map(({ value }) => value)),
        });
        return sum(...costs, exactly(mapCost));
      }
      case 'struct':
        return sum(...expr.fields.map(({ value }) => this.cost(value)), exactly(structCost));
      case 'fold':
        return isBinding(expr) ? this.#binding(expr) : this.#fold(expr);
    }
  }

  #covering(exprs: readonly Expr[]): Range {
    return exprs.length === 0
      ? noCost
      : exprs.reduce<Range>((range, expr) => either(range, this.#sizeOrUnknown(expr)), { min: maxCost, max: 0 });
  }

  #local(name: string): Local | undefined {
    return this.#locals.get(name)?.at(-1);
  }

  #push(name: string, local: Local): void {
    const known = this.#locals.get(name);
    if (known === undefined) this.#locals.set(name, [local]);
    else known.push(local);
  }

  #pop(name: string): void {
    this.#locals.get(name)?.pop();
  }

  #path(expr: Expr): readonly string[] {
    const local = expr.kind === 'ident' ? this.#local(expr.name) : undefined;
    return local?.path ?? this.#paths.get(expr) ?? [];
  }

  #node(expr: Expr): EstimatedNode {
    const path = this.#path(expr);
    return {
      type: this.#checked.typeOf(expr),
      path: path.length === 0 || path[0] === accumulator ? undefined : path,
      expr,
      computedSize: this.#size(expr),
    };
  }

  #size(expr: Expr): Range | undefined {
    const known = this.#sizes.get(expr) ?? literalSize(expr);
    if (known !== undefined) return known;
    const path = this.#path(expr);
    const hint = path.length === 0 ? undefined : this.#hints(path);
    if (hint !== undefined) {
      this.#sizes.set(expr, hint);
      return hint;
    }
    if (isScalar(this.#checked.typeOf(expr))) return exactly(1);
    return expr.kind === 'ident' ? this.#local(expr.name)?.size : undefined;
  }

  #sizeOrUnknown(expr: Expr): Range {
    return this.#size(expr) ?? unknownSize;
  }

  #entriesOf(expr: Expr): EntrySizes | undefined {
    return this.#entries.get(expr) ?? (expr.kind === 'ident' ? this.#local(expr.name)?.entries : undefined);
  }

  #setEntries(expr: Expr, entries: EntrySizes | undefined): void {
    if (entries !== undefined) this.#entries.set(expr, entries);
  }
  #setSize(expr: Expr, size: Range | undefined): void {
    if (size !== undefined) this.#sizes.set(expr, size);
  }

  #call(expr: CallExpr): Range {
    const reference = this.#checked.referenceOf(expr);
    const name = reference?.kind === 'call' ? reference.name : expr.name;
    if (name === 'dyn') {
      const arg = expr.args[0] as Expr;
      const cost = this.cost(arg);
      this.#setSize(expr, this.#size(arg));
      this.#setEntries(expr, this.#entriesOf(arg));
      return sum(exactly(1), cost);
    }
    const argCosts = expr.args.map((arg) => this.cost(arg));
    const args = expr.args.map((arg) => this.#node(arg));
    const targetExpr = reference?.kind === 'call' ? reference.target : expr.target;
    const targetCost = targetExpr === undefined ? noCost : this.cost(targetExpr);
    const target = targetExpr === undefined ? undefined : this.#node(targetExpr);
    const overloads =
      reference?.kind === 'call' ? (name === '_?._' ? ['_?._'] : reference.overloads.map(({ id }) => id)) : [];
    let cost: Range = { min: maxCost, max: 0 };
    let size: Range | undefined;
    for (const overload of overloads) {
      const estimate = this.#overload(
        expr,
        { name, overload, target, args, sizeOf: (node) => this.#nodeSize(node) },
        argCosts,
      );
      cost = either(cost, estimate.cost);
      if (estimate.size !== undefined) size = size === undefined ? estimate.size : either(size, estimate.size);
      const [of] = expr.args;
      if (of !== undefined && (overload === '_[_](list(A), int)' || overload === '_[_](map(A, B), A)')) {
        size = this.#entriesOf(of)?.value;
        this.#paths.set(expr, [...this.#path(of), overload.startsWith('_[_](list') ? '@items' : '@values']);
      }
      size ??= this.#size(expr);
    }
    this.#setSize(expr, size);
    return sum(targetCost, cost);
  }

  #nodeSize(node: EstimatedNode): Range {
    return node.computedSize ?? (node.path === undefined ? undefined : this.#hints(node.path)) ?? unknownSize;
  }

  #overload(expr: CallExpr, call: EstimatedCall, argCosts: readonly Range[]): CallEstimate {
    const withArgs = ({ cost, size }: CallEstimate): CallEstimate => ({ cost: sum(cost, ...argCosts), size });
    const library = estimateLibraryCall(call);
    if (library !== undefined) return withArgs(library);
    const { args, overload, target } = call;
    const [a, b] = args;
    const sized = (node: EstimatedNode | undefined): Range => node?.computedSize ?? unknownSize;
    switch (overload) {
      case 'string.format(list(dyn))':
        return withArgs({ cost: scaled(sized(target), textFactor) });
      case 'bytes(string)':
        return withArgs({
          cost: scaled(sized(a), textFactor),
          size: { min: sized(a).min, max: Math.min(sized(a).max * 4, maxCost) },
        });
      case 'string(bytes)':
        return withArgs({
          cost: scaled(sized(a), textFactor),
          size: { min: Math.floor(sized(a).min / 4), max: sized(a).max },
        });
      case 'strings.quote(string)':
        return withArgs({
          cost: scaled(sized(a), textFactor),
          size: { min: sized(a).min + 2, max: Math.min(sized(a).max * 2 + 2, maxCost) },
        });
      case 'string.startsWith(string)':
      case 'string.endsWith(string)':
        return withArgs({ cost: scaled(sized(a), textFactor) });
      case '@in(A, list(A))':
        return withArgs({ cost: scaled(sized(b), 1) });
      case 'string.matches(string)':
        return withArgs({
          cost: product(scaled(sum(sized(target), exactly(1)), textFactor), scaled(sized(a), patternFactor)),
        });
      case 'string.contains(string)':
        return withArgs({ cost: product(scaled(sized(target), textFactor), scaled(sized(a), textFactor)) });
      case '_&&_(bool, bool)':
      case '_||_(bool, bool)': {
        const [left = noCost, right = noCost] = argCosts;
        return { cost: { min: left.min, max: sum(left, right).max } };
      }
      case '_?_:_(bool, A, A)': {
        const [condition = noCost, yes = noCost, otherwise = noCost] = argCosts;
        const [, first, second] = expr.args as [Expr, Expr, Expr];
        this.#setEntries(expr, union(this.#entriesOf(first), this.#entriesOf(second)));
        return { cost: sum(condition, either(yes, otherwise)), size: either(sized(args[1]), sized(args[2])) };
      }
      case '_+_(string, string)':
      case '_+_(bytes, bytes)':
      case '_+_(list(A), list(A))': {
        const size = sum(sized(a), sized(b));
        const [left, right] = expr.args as [Expr, Expr];
        this.#setEntries(expr, union(this.#entriesOf(left), this.#entriesOf(right)));
        return withArgs({ cost: overload.includes('list') ? exactly(1) : scaled(size, textFactor), size });
      }
      default:
        return withArgs({ cost: comparesTexts.has(overload) ? comparison(sized(a), sized(b)) : exactly(1) });
    }
  }

  #binding(expr: FoldExpr): Range {
    const costs = [this.cost(expr.range), this.cost(expr.init)];
    this.#push(expr.accu, {
      path: this.#path(expr.init),
      size: this.#size(expr.init),
      entries: this.#entriesOf(expr.init),
    });
    costs.push(this.cost(expr.result));
    this.#pop(expr.accu);
    this.#setSize(expr, this.#size(expr.result));
    this.#setEntries(expr, this.#entriesOf(expr.result));
    return sum(...costs);
  }

  #fold(expr: FoldExpr): Range {
    const { range, init, vars, accu } = expr;
    const before = [this.cost(range), this.cost(init)];
    this.#push(accu, { path: this.#path(init), size: this.#size(init), entries: this.#entriesOf(init) });
    const entries = this.#entriesOf(range);
    const isList = (entries?.container ?? this.#checked.typeOf(range).kind) === 'list';
    const path = this.#path(range);
    const key: Local = { path: [...path, isList ? '@indices' : '@keys'], size: entries?.key, entries: undefined };
    const value: Local = { path: [...path, isList ? '@items' : '@values'], size: entries?.value, entries: undefined };
    const [first, second] = vars;
    if (second === undefined) this.#push(first, isList ? value : key);
    else {
      this.#push(first, key);
      this.#push(second, value);
    }
    const loop = sum(this.cost(expr.condition), this.cost(expr.step));
    this.#pop(first);
    if (second !== undefined) this.#pop(second);
    const result = this.cost(expr.result);
    this.#pop(accu);
    const count = this.#sizeOrUnknown(range);
    if (init.kind === 'const') this.#setSize(expr, this.#size(init));
    else if (init.kind === 'list' || init.kind === 'map') {
      this.#setSize(expr, count);
      this.#setEntries(expr, this.#entriesOf(expr.step));
    }
    return sum(...before, result, product(count, loop));
  }
}

/** A variable for one value: a comprehension over nothing. */
function isBinding({ range, condition, accu }: FoldExpr): boolean {
  return (
    range.kind === 'list' &&
    range.items.length === 0 &&
    condition.kind === 'const' &&
    condition.value === false &&
    accu !== '__result__'
  );
}

const comparesTexts: ReadonlySet<string> = new Set([
  '_==_(A, A)',
  '_!=_(A, A)',
  ...['_<_', '_<=_', '_>_', '_>=_'].flatMap((name) => [`${name}(string, string)`, `${name}(bytes, bytes)`]),
]);

function comparison(a: Range, b: Range): Range {
  const max = Math.min(a.max, b.max);
  return scaled({ min: max > 0 ? 1 : 0, max }, textFactor);
}

function union(a: EntrySizes | undefined, b: EntrySizes | undefined): EntrySizes | undefined {
  return a === undefined || b === undefined
    ? undefined
    : { container: a.container, key: either(a.key, b.key), value: either(a.value, b.value) };
}

/** What a literal's size is; undefined where it is none. */
function literalSize(expr: Expr): Range | undefined {
  switch (expr.kind) {
    case 'list':
      return exactly(expr.items.length);
    case 'map':
      return exactly(expr.entries.length);
    case 'const': {
      const { value } = expr;
      if (typeof value === 'string') return exactly(codePoints(value));
      return value instanceof Uint8Array ? exactly(value.length) : exactly(1);
    }
    default:
      return undefined;
  }
}
