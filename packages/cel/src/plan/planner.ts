import type { CheckedExpr, Reference } from '../checker.ts';
import { callCost, costsByResult } from '../cost/call-costs.ts';
import { listCost, mapCost, structCost } from '../cost/constants.ts';
import type { CelFunction } from '../functions.ts';
import type { CallExpr, Expr, FoldExpr, ListExpr, MapExpr, StructExpr } from '../syntax/expr.ts';
import { UintLiteral } from '../syntax/parser.ts';
import { typeNameText } from '../types/types.ts';
import { isOfType } from '../values/is-of-type.ts';
import { equalValues } from '../values/equality.ts';
import type { WorkCounter } from '../values/equality.ts';
import { patternOf } from '../libraries/patterns.ts';
import {
  CelError,
  CelOptional,
  CelTypeValue,
  CelUint,
  EntryMap,
  ItemList,
  isCelError,
  isList,
  mapKey,
  noSuchOverload,
  typeNameOf,
} from '../values/values.ts';
import { ConditionalAttribute, VariableAttribute, computedStep, constantStep, presenceStep } from './attributes.ts';
import type { Attribute } from './attributes.ts';
import { runFold } from './fold.ts';
import { Frame } from './frame.ts';
import type { Evaluate } from './frame.ts';
import { workOf } from './work.ts';
import { startValue, unset } from './unset.ts';

/** A part that is ready to be evaluated. */
type Plan =
  | { readonly kind: 'constant'; readonly value: unknown; readonly evaluate: Evaluate }
  | { readonly kind: 'attribute'; readonly attribute: Attribute; readonly evaluate: Evaluate }
  | { readonly kind: 'other'; readonly evaluate: Evaluate };

/** Where a variable is kept; what comprehensions accumulate in is made when it is first read. */
interface Variable {
  readonly slot: number;
  readonly initial?: Evaluate | undefined;
}
type Scope = ReadonlyMap<string, Variable>;
type CallReference = Reference & { kind: 'call' };

/** An expression whose evaluation costs what the reference's costs. */
export interface Planned {
  readonly evaluate: Evaluate;
  /** How many slots a frame needs. */
  readonly slots: number;
}

/**
 * Makes a checked expression ready to be evaluated (cel-go interpreter/planner.go with constant folding, 0.26). The
 * variables are in the first slots, in their order. @throws CelError for what fails whenever it is evaluated
 */
export function plan(checked: CheckedExpr, variables: Iterable<string>): Planned {
  const planner = new Planner(checked);
  const scope = new Map([...variables].map((name, slot) => [name, { slot }]));
  planner.slots = scope.size;
  const { evaluate } = planner.plan(checked.expr, scope);
  return { evaluate, slots: planner.slots };
}

class Planner {
  readonly #checked: CheckedExpr;
  slots = 0;

  constructor(checked: CheckedExpr) {
    this.#checked = checked;
  }

  plan(expr: Expr, scope: Scope): Plan {
    switch (expr.kind) {
      case 'const':
        return constant(expr.value instanceof UintLiteral ? new CelUint(expr.value.value) : expr.value);
      case 'ident':
        return this.#reference(expr, scope);
      case 'select': {
        if (this.#checked.referenceOf(expr) !== undefined) return this.#reference(expr, scope);
        const { attribute } = this.#attributeOf(this.plan(expr.operand, scope));
        attribute.addStep(expr.test ? presenceStep(expr.field) : constantStep(expr.field, false));
        return expr.test ? presenceTest(attribute) : ofAttribute(attribute);
      }
      case 'call':
        return this.#call(expr, scope);
      case 'list':
        return this.#list(expr, scope);
      case 'map':
        return this.#map(expr, scope);
      case 'struct':
        return this.#struct(expr, scope);
      case 'fold':
        return this.#fold(expr, scope);
    }
  }

  #reference(expr: Expr, scope: Scope): Plan {
    const reference = this.#checked.referenceOf(expr);
    if (reference?.kind === 'type') return constant(new CelTypeValue(typeNameText(reference.type)));
    const variable = reference?.kind === 'variable' ? scope.get(reference.name) : undefined;
    if (variable === undefined) throw new CelError('no such attribute(s)');
    const { slot, initial } = variable;
    const read: Evaluate =
      initial === undefined
        ? (frame) => frame.slots[slot]
        : (frame) => {
            if (frame.slots[slot] === unset) frame.slots[slot] = startValue(initial(frame));
            return frame.slots[slot];
          };
    return ofAttribute(new VariableAttribute(read));
  }

  /** A part as the start of a path. */
  #attributeOf(part: Plan): Plan & { kind: 'attribute' } {
    return part.kind === 'attribute' ? part : ofAttribute(new VariableAttribute(part.evaluate));
  }

  #call(expr: CallExpr, scope: Scope): Plan {
    const reference = this.#checked.referenceOf(expr);
    if (reference?.kind !== 'call') throw noSuchOverload();
    const { name, target } = reference;
    const args = [...(target === undefined ? [] : [target]), ...expr.args].map((arg) => this.plan(arg, scope));
    const [first, second] = args;
    switch (name) {
      case '_&&_':
      case '_||_':
        return other(
          logic(
            name === '_||_',
            args.map(({ evaluate }) => evaluate),
          ),
        );
      case '_?_:_': {
        const [condition, yes, no] = args as [Plan, Plan, Plan];
        return ofAttribute(new ConditionalAttribute(condition.evaluate, this.#branch(yes), this.#branch(no)));
      }
      case '_==_':
      case '_!=_':
        return this.#equality(name, args);
      case '_[_]':
        return this.#index(first as Plan, second as Plan, false);
      case '_?._':
      case '_[?_]':
        return this.#index(first as Plan, second as Plan, true);
      case '@not_strictly_false':
        return other(notStrictlyFalse((first as Plan).evaluate));
      case 'or':
      case 'orValue':
        if (args.length === 2) return other(alternative(name, (first as Plan).evaluate, (second as Plan).evaluate));
        break;
      default:
    }
    return this.#function(reference, args);
  }

  /** A branch of a conditional: what is not an attribute is evaluated for its own cost. */
  #branch(part: Plan): Attribute {
    return part.kind === 'attribute' ? part.attribute : new VariableAttribute(part.evaluate);
  }

  #index(of: Plan, index: Plan, optional: boolean): Plan {
    const { attribute } = this.#attributeOf(of);
    if (index.kind === 'constant') attribute.addStep(constantStep(index.value, optional));
    else if (index.kind === 'attribute') {
      const inner = index.attribute;
      attribute.addStep(computedStep((frame) => inner.resolve(frame), { optional, cost: inner.ownCost }));
    } else attribute.addStep(computedStep(index.evaluate, { optional, cost: 1 }));
    return ofAttribute(attribute);
  }

  #equality(name: '_==_' | '_!=_', args: readonly Plan[]): Plan {
    const [left, right] = args as [Plan, Plan];
    const overload = `${name}(A, A)`,
      negated = name === '_!=_';
    return other((frame) => {
      const a = left.evaluate(frame),
        b = right.evaluate(frame);
      const equal = equalValues(a, b, frame);
      const result = isCelError(a) ? a : isCelError(b) ? b : negated ? equal !== true : equal;
      frame.spend(callCost({ name, overload, args: [a, b], result }));
      return result;
    });
  }

  #function({ name, overloads }: CallReference, args: readonly Plan[]): Plan {
    const [only] = overloads;
    const overload = overloads.length === 1 ? (only?.id ?? '') : '';
    const [first, second] = args;
    if (overload === '@in(A, list(A))' && second?.kind === 'constant') {
      const members = membership(second.value);
      if (members !== undefined)
        return members.size === 0
          ? constant(false)
          : other((frame) => {
              const value = (first as Plan).evaluate(frame);
              return isCelError(value) ? value : members.has(mapKey(value));
            });
    }
    const invoke = invoker(name, overloads);
    if (conversions.has(name) && first?.kind === 'constant' && args.length === 1) {
      const value = invoke([first.value]);
      if (isCelError(value)) throw value;
      return constant(value);
    }
    const pattern = patternArguments.has(name) ? args[1] : undefined;
    if (pattern?.kind === 'constant' && typeof pattern.value === 'string') patternOf(pattern.value);
    return other(called({ name, overload, invoke, args: args.map(({ evaluate }) => evaluate) }));
  }

  #list({ items, optional }: ListExpr, scope: Scope): Plan {
    const parts = items.map((item) => this.plan(item, scope));
    const make: Evaluate = (frame) => {
      const made: unknown[] = [];
      for (const [i, part] of parts.entries()) {
        const value = part.evaluate(frame);
        if (isCelError(value)) return value;
        if (!optional.has(i)) made.push(value);
        else if (!(value instanceof CelOptional))
          return new CelError(`cannot initialize optional list element from non-optional value ${String(value)}`);
        else if (value.present) made.push(value.value);
      }
      return new ItemList(made);
    };
    return folded(parts, make, listCost);
  }

  #map({ entries }: MapExpr, scope: Scope): Plan {
    const parts = entries.map(({ key, value, optional }) => ({
      key: this.plan(key, scope),
      value: this.plan(value, scope),
      optional,
    }));
    const make: Evaluate = (frame) => {
      const made = new Map<unknown, readonly [unknown, unknown]>();
      for (const { key: keyPlan, value: valuePlan, optional } of parts) {
        const key = keyPlan.evaluate(frame);
        if (isCelError(key)) return key;
        const value = valuePlan.evaluate(frame);
        if (isCelError(value)) return value;
        if (!optional) made.set(mapKey(key), [key, value]);
        else if (!(value instanceof CelOptional))
          return new CelError(
            `cannot initialize optional entry '${String(key)}' from non-optional value ${String(value)}`,
          );
        else if (value.present) made.set(mapKey(key), [key, value.value]);
        else made.delete(mapKey(key));
      }
      return new EntryMap(made);
    };
    return folded(
      parts.flatMap(({ key, value }) => [key, value]),
      make,
      mapCost,
    );
  }

  #struct({ fields, name }: StructExpr, scope: Scope): Plan {
    const message = this.#checked.environment.messages?.(name);
    if (message === undefined) throw new CelError(`unknown type: ${name}`);
    const parts = fields.map((field) => ({
      name: field.name,
      optional: field.optional,
      evaluate: this.plan(field.value, scope).evaluate,
    }));
    return other((frame) => {
      const made = new Map<string, unknown>();
      for (const part of parts) {
        const value = part.evaluate(frame);
        if (isCelError(value)) return value;
        if (!part.optional) made.set(part.name, value);
        else if (!(value instanceof CelOptional))
          return new CelError(
            `cannot initialize optional entry '${part.name}' from non-optional value ${String(value)}`,
          );
        else if (value.present) made.set(part.name, value.value);
      }
      frame.spend(structCost);
      return message.make(made);
    });
  }

  #fold(expr: FoldExpr, scope: Scope): Plan {
    const {
      vars: [first, second],
    } = expr;
    const range = this.plan(expr.range, scope).evaluate;
    const accuSlot = this.slots++,
      firstSlot = this.slots++,
      secondSlot = second === undefined ? undefined : this.slots++;
    const initial = this.plan(expr.init, scope).evaluate;
    const outer = new Map(scope).set(expr.accu, { slot: accuSlot, initial });
    const inner = new Map(outer).set(first, { slot: firstSlot });
    if (second !== undefined && secondSlot !== undefined) inner.set(second, { slot: secondSlot });
    const condition = this.plan(expr.condition, inner).evaluate,
      step = this.plan(expr.step, inner).evaluate,
      result = this.plan(expr.result, outer).evaluate;
    return other((frame) => runFold(frame, { range, condition, step, result, accuSlot, firstSlot, secondSlot }));
  }
}

function constant(value: unknown): Plan {
  return { kind: 'constant', value, evaluate: () => value };
}
function other(evaluate: Evaluate): Plan {
  return { kind: 'other', evaluate };
}

function ofAttribute(attribute: Attribute): Plan & { kind: 'attribute' } {
  return {
    kind: 'attribute',
    attribute,
    evaluate: (frame) => {
      const value = attribute.resolve(frame);
      if (attribute.ownCost > 0) frame.spend(attribute.ownCost);
      return value;
    },
  };
}

/** has(): the variable that the path starts at is free then. */
function presenceTest(attribute: Attribute): Plan {
  return {
    kind: 'attribute',
    attribute,
    evaluate: (frame) => {
      const found = attribute.resolve(frame);
      frame.spend(attribute.ownCost - 1);
      return found instanceof CelOptional ? found.present : found;
    },
  };
}

/** A list or map of constants is a constant. */
function folded(parts: readonly Plan[], make: Evaluate, cost: number): Plan {
  if (parts.every(({ kind }) => kind === 'constant')) {
    const value = make(new Frame([], Infinity));
    if (isCelError(value)) throw value;
    return constant(value);
  }
  return other((frame) => {
    const value = make(frame);
    frame.spend(cost);
    return value;
  });
}

/** Either side decides alone if it can; what the other side fails with does not matter then. */
function logic(isOr: boolean, terms: readonly Evaluate[]): Evaluate {
  return (frame) => {
    let failure: CelError | undefined;
    for (const term of terms) {
      const value = term(frame);
      if (value === isOr) return isOr;
      if (typeof value !== 'boolean') failure ??= isCelError(value) ? value : noSuchOverload();
    }
    return failure ?? !isOr;
  };
}

function notStrictlyFalse(arg: Evaluate): Evaluate {
  return (frame) => {
    const value = arg(frame);
    const result = value !== false;
    frame.spend(1);
    return result;
  };
}

function alternative(name: 'or' | 'orValue', left: Evaluate, right: Evaluate): Evaluate {
  return (frame) => {
    const value = left(frame);
    if (isCelError(value)) return value;
    if (!(value instanceof CelOptional)) return noSuchOverload();
    if (value.present) return name === 'or' ? value : value.value;
    return right(frame);
  };
}

/** Functions whose calls with constants are evaluated once. */
const conversions: ReadonlySet<string> = new Set([
  'bool',
  'bytes',
  'double',
  'duration',
  'dyn',
  'int',
  'string',
  'timestamp',
  'type',
  'uint',
]);
/** Functions whose second argument is a pattern, which is compiled once if it is constant. */
const patternArguments: ReadonlySet<string> = new Set(['matches', 'find', 'findAll']);

type Invoke = (values: readonly unknown[], counter?: WorkCounter) => unknown;

/** Chooses the overload by the values where the types do not tell. */
function invoker(name: string, overloads: readonly CelFunction[]): Invoke {
  return (values, counter) => {
    const found = overloads.find(
      ({ params, unguarded }) => unguarded || params.every((param, i) => isOfType(values[i], param)),
    );
    if (found === undefined)
      return new CelError(
        name.startsWith('_') || name === '@in'
          ? 'no such overload'
          : `no such overload: ${name}(${values.map(typeNameOf).join(', ')})`,
      );
    try {
      return found.call(...((found.counted ? [...values, counter] : values) as never[]));
    } catch (error) {
      if (isCelError(error)) return error;
      throw error;
    }
  };
}

function called({
  name,
  overload,
  invoke,
  args,
}: {
  readonly name: string;
  readonly overload: string;
  readonly invoke: Invoke;
  readonly args: readonly Evaluate[];
}): Evaluate {
  const late = costsByResult.has(name);
  return (frame) => {
    const values: unknown[] = [];
    let failure: CelError | undefined;
    for (const arg of args) {
      const value = arg(frame);
      values.push(value);
      if (!isCelError(value)) continue;
      failure ??= value;
      // Calls of one or two arguments evaluate both before they look; longer ones stop, and cost nothing then.
      if (args.length > 2) return failure;
    }
    if (failure === undefined) frame.work(workOf(name, values));
    // What is not to be paid for is not done.
    if (!late) frame.spend(callCost({ name, overload, args: values, result: undefined }));
    const result = failure ?? invoke(values, frame);
    if (late) frame.spend(callCost({ name, overload, args: values, result }));
    return result;
  };
}

/** The items of a constant list of simple values, for look-ups; undefined for other lists. */
function membership(list: unknown): ReadonlySet<unknown> | undefined {
  if (!isList(list)) return undefined;
  const members = new Set<unknown>();
  for (let i = 0; i < list.size; i++) {
    const item = list.at(i);
    if (!['string', 'bigint', 'number', 'boolean'].includes(typeof item) && !(item instanceof CelUint))
      return undefined;
    members.add(mapKey(item));
  }
  return members;
}
