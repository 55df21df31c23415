import type { Environment } from './environment.ts';
import { typeNamed } from './environment.ts';
import type { CelFunction } from './functions.ts';
import { UintLiteral } from './syntax/parser.ts';
import type { CallExpr, Expr, FoldExpr, ListExpr, MapExpr, SelectExpr, StructExpr } from './syntax/expr.ts';
import type { CelProblem } from './syntax/problems.ts';
import {
  boolType,
  bytesType,
  dynType,
  errorType,
  intType,
  isOptional,
  isSameType,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  paramType,
  simpleType,
  stringType,
  typeOf,
  typeText,
  unwrapOptional,
} from './types/types.ts';
import type { CelType } from './types/types.ts';
import type { MessageType } from './values/messages.ts';
import { assign, mostGeneral, substitute } from './types/unify.ts';
import type { Bindings } from './types/unify.ts';

/** What a name or call means. */
export type Reference =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'type'; readonly type: CelType }
  | {
      readonly kind: 'call';
      readonly name: string;
      /** Absent for functions whose name includes what looked like a receiver. */ readonly target: Expr | undefined;
      readonly overloads: readonly CelFunction[];
    };

/** An expression whose types are known. */
export interface CheckedExpr {
  readonly expr: Expr;
  readonly type: CelType;
  typeOf(expr: Expr): CelType;
  referenceOf(expr: Expr): Reference | undefined;
  readonly references: Iterable<Reference>;
  readonly environment: Environment;
}

type Scope = { readonly names: ReadonlyMap<string, CelType>; readonly outer: Scope | undefined };

/**
 * Gives every part of an expression its type (cel-go checker/checker.go, 0.26): the checked expression, or all that is
 * wrong.
 */
export function check(expr: Expr, environment: Environment): CheckedExpr | readonly CelProblem[] {
  const checker = new Checker(environment);
  checker.check(expr);
  return checker.problems.length > 0 ? checker.problems : checker.result(expr);
}

class Checker {
  readonly problems: CelProblem[] = [];
  readonly #environment: Environment;
  readonly #types = new Map<Expr, CelType>();
  readonly #references = new Map<Expr, Reference>();
  #bindings: Bindings = new Map();
  #freshCount = 0;
  #scope: Scope | undefined;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  result(expr: Expr): CheckedExpr {
    const types = new Map([...this.#types].map(([part, type]) => [part, substitute(this.#bindings, type, true)]));
    const references = this.#references;
    const typeAt = (part: Expr): CelType => types.get(part) ?? dynType;
    return {
      expr,
      type: typeAt(expr),
      typeOf: typeAt,
      referenceOf: (part) => references.get(part),
      references: references.values(),
      environment: this.#environment,
    };
  }

  check(expr: Expr): CelType {
    const type = this.#typeOf(expr);
    this.#types.set(expr, type);
    return type;
  }

  #typeOf(expr: Expr): CelType {
    switch (expr.kind) {
      case 'const':
        return constantType(expr.value);
      case 'ident':
        return (
          this.#named(expr, expr.name) ?? this.#fail(expr, `undeclared reference to '${expr.name}' (in container '')`)
        );
      case 'select':
        return this.#select(expr);
      case 'call':
        return expr.name === '_?._' ? this.#optionalSelect(expr) : this.#call(expr);
      case 'list':
        return this.#list(expr);
      case 'map':
        return this.#map(expr);
      case 'struct':
        return this.#struct(expr);
      case 'fold':
        return this.#fold(expr);
    }
  }

  #fail(expr: { readonly at: number }, text: string): CelType {
    this.problems.push({ at: expr.at, text });
    return errorType;
  }

  #mismatch(expr: Expr, expected: CelType, found: CelType): CelType {
    return this.#fail(expr, `expected type '${typeText(expected)}' but found '${typeText(found)}'`);
  }

  #freshParam(): CelType {
    return paramType(`_var${this.#freshCount++}`);
  }

  #assignable(a: CelType, b: CelType): boolean {
    return this.#assign([a], [b]);
  }

  #assign(wanted: readonly CelType[], given: readonly CelType[]): boolean {
    const bindings = assign(this.#bindings, wanted, given);
    if (bindings === undefined) return false;
    this.#bindings = bindings;
    return true;
  }

  /** The type of a variable or of a type's name; tells what the name means. */
  #named(expr: Expr, name: string): CelType | undefined {
    const bare = name.startsWith('.') ? name.slice(1) : name;
    for (let scope = this.#scope; scope !== undefined; scope = scope.outer) {
      const type = scope.names.get(bare);
      if (type !== undefined) return this.#refer(expr, { kind: 'variable', name: bare }, type);
    }
    const variable = this.#environment.variables.get(bare);
    if (variable !== undefined) return this.#refer(expr, { kind: 'variable', name: bare }, variable);
    const type = typeNamed(bare) ?? this.#environment.messages?.(bare)?.type;
    return type === undefined ? undefined : this.#refer(expr, { kind: 'type', type }, typeOf(type));
  }

  #refer(expr: Expr, reference: Reference, type: CelType): CelType {
    this.#references.set(expr, reference);
    return type;
  }

  #select(expr: SelectExpr): CelType {
    const name = qualifiedName(expr);
    const named = name === undefined ? undefined : this.#named(expr, name);
    if (named !== undefined) return named;
    const type = this.#field(expr, { operand: expr.operand, field: expr.field, optional: false });
    return expr.test ? boolType : substitute(this.#bindings, type);
  }

  #optionalSelect(expr: CallExpr): CelType {
    const [operand, field] = expr.args as [Expr, Expr];
    const type = this.#field(expr, {
      operand,
      field: field.kind === 'const' ? String(field.value) : '',
      optional: true,
    });
    this.#types.set(field, stringType);
    return this.#refer(
      expr,
      { kind: 'call', name: expr.name, target: undefined, overloads: [] },
      substitute(this.#bindings, type),
    );
  }

  #field(
    expr: Expr,
    { operand, field, optional }: { readonly operand: Expr; readonly field: string; readonly optional: boolean },
  ): CelType {
    const of = substitute(this.#bindings, this.check(operand));
    const holder = unwrapOptional(of);
    const type = this.#fieldType(expr, holder, field);
    return optional || isOptional(of) ? optionalOf(type) : type;
  }

  #fieldType(expr: Expr, holder: CelType, field: string): CelType {
    switch (holder.kind) {
      case 'map':
        return holder.params[1] ?? dynType;
      case 'object':
        if (holder.fields === undefined) return this.#fail(expr, `unexpected failed resolution of '${holder.name}'`);
        return holder.fields.get(field) ?? this.#fail(expr, `undefined field '${field}'`);
      case 'param':
        this.#assignable(dynType, holder);
        return dynType;
      case 'dyn':
      case 'error':
        return dynType;
      default:
        this.#fail(expr, `type '${typeText(holder)}' does not support field selection`);
        return dynType;
    }
  }

  #call(expr: CallExpr): CelType {
    for (const arg of expr.args) this.check(arg);
    const { name, target } = expr;
    const undeclared = (): CelType => this.#fail(expr, `undeclared reference to '${name}' (in container '')`);
    if (target === undefined) {
      const bare = name.startsWith('.') ? name.slice(1) : name;
      return this.#environment.functions.overloads(bare).length === 0
        ? undeclared()
        : this.#overload(expr, bare, undefined);
    }
    const prefix = qualifiedName(target);
    const qualified = prefix === undefined ? undefined : `${prefix.startsWith('.') ? prefix.slice(1) : prefix}.${name}`;
    if (qualified !== undefined && this.#environment.functions.overloads(qualified).length > 0)
      return this.#overload(expr, qualified, undefined);
    this.check(target);
    return this.#environment.functions.overloads(name).length === 0 ? undeclared() : this.#overload(expr, name, target);
  }

  #overload(expr: CallExpr, name: string, target: Expr | undefined): CelType {
    const given = [...(target === undefined ? [] : [target]), ...expr.args].map(
      (arg) => this.#types.get(arg) ?? dynType,
    );
    if (name === '_&&_' || name === '_||_') return this.#logic(expr, given);
    const matching: CelFunction[] = [];
    let result: CelType | undefined;
    for (const overload of this.#environment.functions.overloads(name)) {
      if (overload.isMethod !== (target !== undefined)) continue;
      const { params, result: declared } = this.#instantiate(overload);
      if (!this.#assign(given, params)) continue;
      matching.push(overload);
      const found = substitute(this.#bindings, declared);
      if (result === undefined) result = found;
      else if (result.kind !== 'dyn' && !isSameType(found, result)) result = dynType;
    }
    if (result === undefined) {
      const texts = given.map((type) => typeText(substitute(this.#bindings, type, true)));
      const signature =
        target === undefined ? `(${texts.join(', ')})` : `${texts[0] ?? ''}.(${texts.slice(1).join(', ')})`;
      return this.#fail(expr, `found no matching overload for '${name}' applied to '${signature}'`);
    }
    return this.#refer(expr, { kind: 'call', name, target, overloads: matching }, result);
  }

  #logic(expr: CallExpr, given: readonly CelType[]): CelType {
    let valid = true;
    for (const [i, type] of given.entries()) {
      if (this.#assignable(type, boolType)) continue;
      valid = false;
      this.#mismatch(expr.args[i] ?? expr, boolType, type);
    }
    return valid
      ? this.#refer(
          expr,
          {
            kind: 'call',
            name: expr.name,
            target: undefined,
            overloads: this.#environment.functions.overloads(expr.name),
          },
          boolType,
        )
      : errorType;
  }

  /** An overload's types with fresh type parameters, so that calls do not bind each other's. */
  #instantiate({ params, result }: CelFunction): { readonly params: readonly CelType[]; readonly result: CelType } {
    const fresh = new Map<string, CelType>();
    const rename = (type: CelType): CelType => {
      if (type.kind !== 'param') return type.params.length === 0 ? type : { ...type, params: type.params.map(rename) };
      const known = fresh.get(type.name) ?? this.#freshParam();
      fresh.set(type.name, known);
      return known;
    };
    return { params: params.map(rename), result: rename(result) };
  }

  /** Of entries of different types anything is known; whether they may differ is checked later. */
  #join(known: CelType | undefined, type: CelType): CelType {
    if (known === undefined) return type;
    return this.#assignable(known, type) ? mostGeneral(known, type) : dynType;
  }

  /** What an entry marked with `?` adds. */
  #unwrapEntry(expr: Expr, type: CelType): CelType {
    if (!isOptional(type) && type.kind !== 'dyn') this.#mismatch(expr, optionalOf(type), type);
    return unwrapOptional(type);
  }

  #list(expr: ListExpr): CelType {
    let type: CelType | undefined;
    for (const [i, item] of expr.items.entries()) {
      const found = this.check(item);
      type = this.#join(type, expr.optional.has(i) ? this.#unwrapEntry(item, found) : found);
    }
    return listOf(type ?? this.#freshParam());
  }

  #map(expr: MapExpr): CelType {
    let keyType: CelType | undefined, valueType: CelType | undefined;
    for (const { key, value, optional } of expr.entries) {
      keyType = this.#join(keyType, this.check(key));
      const found = this.check(value);
      valueType = this.#join(valueType, optional ? this.#unwrapEntry(value, found) : found);
    }
    return mapOf(keyType ?? this.#freshParam(), valueType ?? this.#freshParam());
  }

  /** Only messages of the environment can be made. */
  #struct(expr: StructExpr): CelType {
    const message = this.#environment.messages?.(expr.name);
    if (message !== undefined) return this.#message(expr, message);
    const type = typeNamed(expr.name.startsWith('.') ? expr.name.slice(1) : expr.name);
    if (type === undefined)
      return this.#fail(
        expr,
        this.#environment.variables.has(expr.name)
          ? `'${typeText(this.#environment.variables.get(expr.name) ?? dynType)}' is not a type`
          : `undeclared reference to '${expr.name}' (in container '')`,
      );
    return this.#fail(expr, `'${type.name}' is not a message type`);
  }

  #message({ fields }: StructExpr, message: MessageType): CelType {
    for (const { at, name, optional, value } of fields) {
      const found = this.check(value);
      const given = optional ? this.#unwrapEntry(value, found) : found;
      const wanted = message.fieldType(name);
      if (!this.#assignable(wanted, given))
        this.#fail(
          { at },
          `expected type of field '${name}' is '${typeText(wanted)}' but provided type is '${typeText(given)}'`,
        );
    }
    return message.type;
  }

  #fold(expr: FoldExpr): CelType {
    const range = substitute(this.#bindings, this.check(expr.range));
    const accuType = this.check(expr.init);
    const outer = this.#scope;
    this.#scope = { names: new Map([[expr.accu, accuType]]), outer };
    const accuScope = this.#scope;
    const [first, second] = this.#variableTypes(expr, range);
    const [name, secondName] = expr.vars;
    this.#scope = {
      names: new Map<string, CelType>([
        [name, first],
        ...(secondName === undefined ? [] : [[secondName, second] as const]),
      ]),
      outer: accuScope,
    };
    this.check(expr.condition);
    this.#assertType(expr.condition, boolType);
    this.check(expr.step);
    this.#assertType(expr.step, accuType);
    this.#scope = accuScope;
    const result = this.check(expr.result);
    this.#scope = outer;
    return substitute(this.#bindings, result);
  }

  #variableTypes(expr: FoldExpr, range: CelType): readonly [CelType, CelType] {
    const pair = expr.vars.length === 2;
    const [first = dynType, second = dynType] = range.params;
    switch (range.kind) {
      case 'list':
        return pair ? [intType, first] : [first, dynType];
      case 'map':
        return [first, second];
      case 'dyn':
      case 'error':
      case 'param':
        this.#assignable(dynType, range);
        return [dynType, dynType];
      default:
        this.#fail(
          expr.range,
          `expression of type '${typeText(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
        return [errorType, errorType];
    }
  }

  #assertType(expr: Expr, wanted: CelType): void {
    const found = this.#types.get(expr) ?? dynType;
    if (!this.#assignable(wanted, found)) this.#mismatch(expr, wanted, found);
  }
}

function constantType(value: unknown): CelType {
  switch (typeof value) {
    case 'string':
      return stringType;
    case 'bigint':
      return intType;
    case 'number':
      return simpleType('double');
    case 'boolean':
      return boolType;
    default:
      return value === null ? nullType : value instanceof UintLiteral ? simpleType('uint') : bytesType;
  }
}

/** `a.b.c` as one name; undefined for what is more than names and fields. */
function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind !== 'select' || expr.test) return undefined;
  const prefix = qualifiedName(expr.operand);
  return prefix === undefined ? undefined : `${prefix}.${expr.field}`;
}
