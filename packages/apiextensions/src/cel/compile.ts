import { macroNames, compileMacro } from './macros.ts';
import { parseExpression } from './port.ts';
import type { Compiled, ExpressionCompiler, Frame, Program, Scope } from './program.ts';
import type { FunctionTable, CelFunction } from './functions.ts';
import { formatProblems } from './syntax.ts';
import type { CelNode, CelProblem } from './syntax.ts';
import { bind, boolType, dynType, errorType, fits, hasLoose, intType, isLoose, joinTypes, listOf, mapOf, optionalOf, simpleType, stringType, typeOf, typeText } from './types.ts';
import type { CelType } from './types.ts';
import { CelError, CelOptional, CelTypeValue, CelUint, EntryMap, ItemList, isList, isMap, mapKey } from './values.ts';
import { valueIs } from './value-is.ts';

const typeNames = new Map<string, CelType>([
  ...(['bool', 'int', 'uint', 'double', 'string', 'bytes'] as const).map((name): [string, CelType] => [name, simpleType(name)]),
  ['null_type', simpleType('null')], ['list', listOf(dynType)], ['map', mapOf(dynType, dynType)],
]);
const named = new Map([['==', '_==_'], ['!=', '_!=_'], ['<', '_<_'], ['<=', '_<=_'], ['>', '_>_'], ['>=', '_>=_'], ['+', '_+_'], ['-', '_-_'], ['*', '_*_'], ['/', '_/_'], ['%', '_%_'], ['in', '@in']]);

/**
 * Checks an expression and makes it ready to be evaluated.
 *
 * @returns the program, or what is wrong in the form of cel-go
 */
export function compileExpression(source: string, variables: ReadonlyMap<string, CelType>, functions: FunctionTable): Program | string {
  const tree = parseExpression(source);
  if (!('kind' in tree)) return formatProblems(source, [tree]);
  const compiler = new Compiler(functions);
  const scope = new Map([...variables].map(([name, type], slot) => [name, { slot, type }]));
  compiler.slots = scope.size;
  const { type, run } = compiler.compile(tree, scope);
  return compiler.problems.length > 0 ? formatProblems(source, compiler.problems) : { type, run, reads: compiler.reads, slots: compiler.slots };
}

/** One compilation. */
class Compiler implements ExpressionCompiler {
  readonly problems: CelProblem[] = [];
  readonly reads = new Set<string>();
  readonly #functions: FunctionTable;
  slots = 0;

  constructor(functions: FunctionTable) { this.#functions = functions; }

  fail(at: number, text: string): Compiled {
    this.problems.push({ at, text });
    return { type: errorType, run: () => { throw new CelError(text); } };
  }

  compile(node: CelNode, scope: Scope): Compiled {
    switch (node.kind) {
      case 'literal': return literal(node.value);
      case 'name': return this.#name(node.name, node.at, scope);
      case 'field': return this.#field(node, scope);
      case 'index': return this.#index(node, scope);
      case 'unary': return this.#call(`${node.operator}_`, node.at, [this.compile(node.operand, scope)]);
      case 'choice': return this.#choice(node, scope);
      case 'list': return this.#list(node.items, scope);
      case 'map': return this.#map(node.entries, scope);
      case 'binary': {
        const left = this.compile(node.left, scope), right = this.compile(node.right, scope);
        if (node.operator === '&&' || node.operator === '||') return this.#logic(node, left, right);
        return this.#call(named.get(node.operator) ?? node.operator, node.at, [left, right]);
      }
      case 'call': return this.#invoke(node, scope);
    }
  }

  #name(name: string, at: number, scope: Scope): Compiled {
    const variable = scope.get(name);
    if (variable === undefined) {
      const type = typeNames.get(name);
      if (type !== undefined) return { type: typeOf(type), run: () => new CelTypeValue(name) };
      return this.fail(at, `undeclared reference to '${name}' (in container '')`);
    }
    this.reads.add(name);
    const { slot, type } = variable;
    return { type, run: (frame) => { frame.spend(1); return frame.slots[slot]; } };
  }

  #field(node: CelNode & { kind: 'field' }, scope: Scope): Compiled {
    const { name, at } = node;
    const of = this.compile(node.of, scope);
    const inOptional = of.type.kind === 'optional';
    const holder = inOptional ? of.type.params[0] ?? dynType : of.type;
    let type: CelType;
    if (isLoose(holder)) type = holder.kind === 'error' ? errorType : dynType;
    else if (holder.kind === 'map') type = holder.params[1] ?? dynType;
    else if (holder.kind === 'object') {
      const field = holder.fields.get(name);
      if (field === undefined) return this.fail(at, `undefined field '${name}'`);
      type = field;
    } else return this.fail(at, `type '${typeText(holder)}' does not support field selection`);
    const optional = inOptional || node.optional;
    return {
      type: optional && type.kind !== 'error' ? optionalOf(type) : type,
      run: (frame) => {
        const value = of.run(frame);
        frame.spend(1);
        return optional ? optionalEntry(value, name) : entry(value, name);
      },
    };
  }

  #index(node: CelNode & { kind: 'index' }, scope: Scope): Compiled {
    const of = this.compile(node.of, scope), key = this.compile(node.index, scope);
    const inOptional = of.type.kind === 'optional';
    const holder = inOptional ? of.type.params[0] ?? dynType : of.type;
    const wanted = holder.kind === 'list' ? intType : holder.kind === 'map' ? holder.params[0] ?? dynType : dynType;
    const supported = isLoose(holder) || holder.kind === 'list' || holder.kind === 'map';
    if (!supported || !fits(wanted, key.type, new Map())) {
      return this.fail(node.at, `found no matching overload for '${node.optional ? '_[?_]' : '_[_]'}' applied to '(${typeText(of.type)}, ${typeText(key.type)})'`);
    }
    const type = isLoose(holder) ? dynType : holder.params.at(-1) ?? dynType;
    const optional = inOptional || node.optional;
    return {
      type: optional ? optionalOf(type) : type,
      run: (frame) => {
        const value = of.run(frame), at = key.run(frame);
        frame.spend(1);
        return optional ? optionalEntry(value, at) : entry(value, at);
      },
    };
  }

  #choice(node: CelNode & { kind: 'choice' }, scope: Scope): Compiled {
    const condition = this.compile(node.condition, scope), yes = this.compile(node.yes, scope), otherwise = this.compile(node.otherwise, scope);
    const type = joinTypes(yes.type, otherwise.type);
    if (type === undefined || !fits(boolType, condition.type, new Map())) {
      return this.fail(node.at, `found no matching overload for '_?_:_' applied to '(${[condition, yes, otherwise].map((part) => typeText(part.type)).join(', ')})'`);
    }
    return {
      type,
      run: (frame) => {
        const chosen = condition.run(frame);
        if (typeof chosen !== 'boolean') throw new CelError('no such overload');
        return (chosen ? yes : otherwise).run(frame);
      },
    };
  }

  #logic({ operator, at }: CelNode & { kind: 'binary' }, left: Compiled, right: Compiled): Compiled {
    const isOr = operator === '||';
    if (!fits(boolType, left.type, new Map()) || !fits(boolType, right.type, new Map())) {
      return this.fail(at, `found no matching overload for '_${operator}_' applied to '(${typeText(left.type)}, ${typeText(right.type)})'`);
    }
    return { type: boolType, run: (frame) => runLogic(frame, { isOr, left, right }) };
  }

  #list(items: readonly CelNode[], scope: Scope): Compiled {
    let type: CelType | undefined;
    const parts = items.map((item) => {
      const part = this.compile(item, scope);
      const joined = type === undefined ? part.type : joinTypes(type, part.type);
      if (joined === undefined) this.fail(item.at, `expected type '${typeText(type ?? dynType)}' but found '${typeText(part.type)}'`);
      else type = joined;
      return part;
    });
    return { type: listOf(type ?? { ...dynType }), run: (frame) => { frame.spend(10); return new ItemList(parts.map((part) => part.run(frame))); } };
  }

  #map(entries: readonly (readonly [CelNode, CelNode])[], scope: Scope): Compiled {
    let keyType: CelType | undefined, valueType: CelType | undefined;
    const join = (known: CelType | undefined, part: Compiled, at: number): CelType => {
      const joined = known === undefined ? part.type : joinTypes(known, part.type);
      if (joined === undefined) this.fail(at, `expected type '${typeText(known ?? dynType)}' but found '${typeText(part.type)}'`);
      return joined ?? known ?? dynType;
    };
    const parts = entries.map(([keyNode, valueNode]) => {
      const key = this.compile(keyNode, scope), value = this.compile(valueNode, scope);
      keyType = join(keyType, key, keyNode.at);
      valueType = join(valueType, value, valueNode.at);
      return [key, value] as const;
    });
    return {
      type: mapOf(keyType ?? dynType, valueType ?? dynType),
      run: (frame) => { frame.spend(30); return new EntryMap(new Map(parts.map(([key, value]) => [mapKey(key.run(frame)), value.run(frame)]))); },
    };
  }

  #invoke(node: CelNode & { kind: 'call' }, scope: Scope): Compiled {
    if (macroNames.has(node.name)) {
      const macro = compileMacro(this, node, scope);
      if (macro !== undefined) return macro;
    }
    if (node.target?.kind === 'name' && !scope.has(node.target.name)) {
      const qualified = `${node.target.name}.${node.name}`;
      if (this.#functions.overloads(qualified).length > 0) return this.#call(qualified, node.at, node.args.map((arg) => this.compile(arg, scope)));
    }
    const args = node.args.map((arg) => this.compile(arg, scope));
    const target = node.target === undefined ? undefined : this.compile(node.target, scope);
    const constant = node.args[0];
    if (constant?.kind === 'literal' && typeof constant.value === 'string') this.#checkConstant(node, constant.value, constant.at);
    return this.#call(node.name, node.at, target === undefined ? args : [target, ...args], target !== undefined);
  }

  /** What is always wrong is told when the expression is compiled. */
  #checkConstant({ name }: CelNode & { kind: 'call' }, value: string, at: number): void {
    if (name !== 'matches' && name !== 'duration' && name !== 'timestamp') return;
    const check = this.#functions.overloads(name).find(({ params, isMethod }) => params.length === (isMethod ? 2 : 1) && params.at(-1)?.name === 'string');
    try { check?.call(...[...(check.isMethod ? [''] : []), value] as never[]); } catch { this.fail(at, `invalid ${name} argument`); }
  }

  #call(name: string, at: number, args: readonly Compiled[], isMethod = false): Compiled {
    const known = this.#functions.overloads(name);
    if (known.length === 0) return this.fail(at, `undeclared reference to '${name}' (in container '')`);
    if (args.some((arg) => arg.type.kind === 'error')) return { type: errorType, run: () => { throw new CelError('no such overload'); } };
    const matching: { readonly overload: CelFunction; readonly result: CelType }[] = [];
    for (const overload of known) {
      if (overload.isMethod !== isMethod || overload.params.length !== args.length) continue;
      const bound = new Map<string, CelType>();
      if (overload.params.every((param, i) => fits(param, args[i]?.type ?? dynType, bound))) matching.push({ overload, result: bind(overload.result, bound) });
    }
    const [first] = matching;
    if (first === undefined) {
      const types = args.map((arg) => typeText(arg.type));
      return this.fail(at, `found no matching overload for '${name}' applied to '${isMethod ? `${types[0] ?? ''}.` : ''}(${types.slice(isMethod ? 1 : 0).join(', ')})'`);
    }
    const type = matching.every(({ result }) => typeText(result) === typeText(first.result)) ? first.result : dynType;
    const isExact = matching.length === 1 && args.every((arg) => !hasLoose(arg.type));
    const overloads = matching.map(({ overload }) => overload);
    return { type, run: isExact ? direct(first.overload, args) : dispatch(overloads, args) };
  }
}

function direct({ call }: CelFunction, args: readonly Compiled[]): Compiled['run'] {
  const [a, b] = args;
  if (args.length === 1 && a !== undefined) return (frame) => { const x = a.run(frame); frame.spend(1); return call(x as never); };
  if (args.length === 2 && a !== undefined && b !== undefined) return (frame) => { const x = a.run(frame), y = b.run(frame); frame.spend(1); return call(x as never, y as never); };
  return (frame) => { const values = args.map((arg) => arg.run(frame)); frame.spend(1); return call(...values as never[]); };
}

/** Chooses the overload by the values. */
function dispatch(overloads: readonly CelFunction[], args: readonly Compiled[]): Compiled['run'] {
  return (frame) => {
    const values = args.map((arg) => arg.run(frame));
    frame.spend(1);
    const overload = overloads.find(({ params }) => params.every((param, i) => valueIs(values[i], param)));
    if (overload === undefined) throw new CelError('no such overload');
    return overload.call(...values as never[]);
  };
}

/** Either side decides alone if it can; what the other side fails with does not matter then. */
function runLogic(frame: Frame, { isOr, left, right }: { readonly isOr: boolean; readonly left: Compiled; readonly right: Compiled }): boolean {
  const first = attempt(left, frame);
  if (first === isOr) return isOr;
  const second = attempt(right, frame);
  if (second === isOr) return isOr;
  for (const side of [first, second]) {
    if (side instanceof CelError) throw side;
    if (typeof side !== 'boolean') throw new CelError('no such overload');
  }
  return !isOr;
}

function attempt(part: Compiled, frame: Frame): unknown {
  try {
    return part.run(frame);
  } catch (error) {
    if (error instanceof CelError) return error;
    throw error;
  }
}

function literal(value: unknown): Compiled {
  switch (typeof value) {
    case 'string': return { type: stringType, run: () => value };
    case 'bigint': return { type: intType, run: () => value };
    case 'number': return { type: simpleType('double'), run: () => value };
    case 'boolean': return { type: boolType, run: () => value };
    default:
  }
  if (value === null) return { type: simpleType('null'), run: () => null };
  if (value instanceof Uint8Array) return { type: simpleType('bytes'), run: () => value };
  const uint = new CelUint(BigInt((value as { valueOf(): bigint }).valueOf()));
  return { type: simpleType('uint'), run: () => uint };
}

/** The entry of a map, or the item of a list. @throws CelError */
function entry(of: unknown, key: unknown): unknown {
  if (isMap(of)) {
    const value = of.get(key);
    if (value === undefined) throw new CelError(`no such key: ${key instanceof CelUint ? String(key.value) : String(key)}`);
    return value;
  }
  if (isList(of)) {
    const index = mapKey(key);
    if (typeof index !== 'bigint') throw new CelError(`unsupported index type '${typeof key}' in list`);
    if (index < 0n || index >= BigInt(of.size)) throw new CelError(`index out of bounds: ${index}`);
    return of.at(Number(index));
  }
  throw new CelError('no such overload');
}

function optionalEntry(of: unknown, key: unknown): CelOptional {
  if (of instanceof CelOptional) return of.present ? optionalEntry(of.value, key) : CelOptional.none;
  if (isMap(of)) {
    const value = of.get(key);
    return value === undefined ? CelOptional.none : new CelOptional(value);
  }
  if (!isList(of)) throw new CelError('no such overload');
  const index = mapKey(key);
  return typeof index !== 'bigint' || index < 0n || index >= BigInt(of.size) ? CelOptional.none : new CelOptional(of.at(Number(index)));
}
