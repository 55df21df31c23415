import { CostError } from './program.ts';
import type { Compiled, ExpressionCompiler, Frame, Scope } from './program.ts';
import type { CelNode } from './syntax.ts';
import { boolType, dynType, fits, intType, isLoose, listOf, mapOf, optionalOf, typeText } from './types.ts';
import type { CelType } from './types.ts';
import { CelError, CelOptional, EntryMap, ItemList, isList, isMap, itemsOf, mapKey } from './values.ts';

type CallNode = CelNode & { kind: 'call' };
type MacroStep = (key: unknown, value: unknown) => boolean;

/** Names that may be macros, depending on their arguments. */
export const macroNames: ReadonlySet<string> = new Set(['has', 'all', 'exists', 'exists_one', 'existsOne', 'map', 'filter', 'transformList', 'transformMap', 'optMap', 'optFlatMap']);

/** A macro call; undefined where name and arguments are no macro's. */
export function compileMacro(compiler: ExpressionCompiler, node: CallNode, scope: Scope): Compiled | undefined {
  const { name, args, target } = node;
  if (target === undefined) return name === 'has' && args.length === 1 ? has(compiler, args[0] as CelNode, scope) : undefined;
  if (name === 'has') return undefined;
  if (name === 'optMap' || name === 'optFlatMap') return args.length === 2 ? optional(compiler, node, scope) : undefined;
  const pairs = ['all', 'exists', 'exists_one', 'existsOne'].includes(name) ? args.length === 3 : name.startsWith('transform');
  const counts = name === 'map' ? [2, 3] : name === 'filter' ? [2] : name.startsWith('transform') ? [3, 4] : [2, 3];
  if (!counts.includes(args.length)) return undefined;
  const range = compiler.compile(target, scope);
  if (!isLoose(range.type) && range.type.kind !== 'list' && range.type.kind !== 'map') {
    return compiler.fail(target.at, `expression of type '${typeText(range.type)}' cannot be range of a comprehension (must be list, map, or dynamic)`);
  }
  const names = args.slice(0, pairs ? 2 : 1);
  const inner = new Map(scope);
  const slots: number[] = [];
  const types = variableTypes(range.type, pairs);
  for (const [i, variable] of names.entries()) {
    if (variable.kind !== 'name') return compiler.fail(variable.at, 'argument must be a simple name');
    const slot = compiler.slots++;
    slots.push(slot);
    inner.set(variable.name, { slot, type: types[i] ?? dynType });
  }
  const bodyNodes = args.slice(names.length);
  const bodies = bodyNodes.map((body) => compiler.compile(body, inner));
  const isTest = name !== 'map' && !name.startsWith('transform');
  const filter = isTest || bodies.length === 2 ? bodies[0] : undefined;
  if (filter !== undefined && !fits(boolType, filter.type, new Map())) {
    return compiler.fail(bodyNodes[0]?.at ?? node.at, `expected type 'bool' but found '${typeText(filter.type)}'`);
  }
  const last = bodies.at(-1) as Compiled;
  const each = (frame: Frame, step: MacroStep): void => { iterate(range.run(frame), frame, { slots, step }); };
  switch (name) {
    case 'all': case 'exists': return { type: boolType, run: (frame) => quantify(frame, { until: name === 'exists', each, test: last }) };
    case 'exists_one': case 'existsOne': return { type: boolType, run: (frame) => { let found = 0; each(frame, () => { if (holds(last, frame)) found++; return true; }); return found === 1; } };
    case 'filter': {
      const slot = slots[0] ?? 0;
      return { type: listOf(types[0] ?? dynType), run: (frame) => { const found: unknown[] = []; each(frame, () => { if (holds(last, frame)) found.push(frame.slots[slot]); return true; }); return new ItemList(found); } };
    }
    case 'map': case 'transformList':
      return { type: listOf(last.type), run: (frame) => { const made: unknown[] = []; each(frame, () => { if (filter === undefined || holds(filter, frame)) made.push(last.run(frame)); return true; }); return new ItemList(made); } };
    default:
      return { type: mapOf(types[0] ?? dynType, last.type), run: (frame) => { const made = new Map<unknown, unknown>(); each(frame, (key) => { if (filter === undefined || holds(filter, frame)) made.set(mapKey(key), last.run(frame)); return true; }); return new EntryMap(made); } };
  }
}

/** What the variables of a comprehension are: items or keys, or keys (positions) and values. */
function variableTypes(range: CelType, pairs: boolean): readonly CelType[] {
  const [first = dynType, second = dynType] = range.params;
  if (range.kind === 'list') return pairs ? [intType, first] : [first];
  return range.kind === 'map' ? [first, second] : [dynType, dynType];
}

function iterate(range: unknown, frame: Frame, { slots, step }: { readonly slots: readonly number[]; readonly step: MacroStep }): void {
  const [keySlot = 0, valueSlot] = slots;
  const visit = (key: unknown, value: unknown): boolean => {
    frame.spend(1);
    frame.slots[keySlot] = key;
    if (valueSlot !== undefined) frame.slots[valueSlot] = value;
    return step(key, value);
  };
  if (isList(range)) {
    let i = 0n;
    for (const item of itemsOf(range)) if (!(valueSlot === undefined ? visit(item, undefined) : visit(i++, item))) return;
  } else if (isMap(range)) {
    for (const key of range.keys()) if (!visit(key, valueSlot === undefined ? undefined : range.get(key))) return;
  } else throw new CelError('no such overload');
}

function holds(test: Compiled, frame: Frame): boolean {
  const held = test.run(frame);
  if (typeof held !== 'boolean') throw new CelError('no such overload');
  return held;
}

/** Goes on past failures, since a later item may decide. */
function quantify(frame: Frame, { until, each, test }: { readonly until: boolean; readonly each: (frame: Frame, step: MacroStep) => void; readonly test: Compiled }): boolean {
  let failure: CelError | undefined;
  let decided = false;
  each(frame, () => {
    try {
      decided = holds(test, frame) === until;
    } catch (error) {
      if (!(error instanceof CelError) || error instanceof CostError) throw error;
      failure = error;
    }
    return !decided;
  });
  if (!decided && failure !== undefined) throw failure;
  return decided === until;
}

function has(compiler: ExpressionCompiler, argument: CelNode, scope: Scope): Compiled {
  if (argument.kind !== 'field') return compiler.fail(argument.at, 'invalid argument to has() macro');
  const value = compiler.compile({ ...argument, optional: true }, scope);
  return {
    type: boolType,
    run: (frame) => (value.run(frame) as CelOptional).present,
  };
}

function optional(compiler: ExpressionCompiler, { name, args, target, at }: CallNode, scope: Scope): Compiled {
  const [variable, body] = args as [CelNode, CelNode];
  const of = compiler.compile(target as CelNode, scope);
  if (variable.kind !== 'name') return compiler.fail(variable.at, `${name}() variable name must be a simple identifier`);
  if (!isLoose(of.type) && of.type.kind !== 'optional') return compiler.fail(at, `found no matching overload for 'hasValue' applied to '${typeText(of.type)}.()'`);
  const slot = compiler.slots++;
  const inner = compiler.compile(body, new Map(scope).set(variable.name, { slot, type: of.type.params[0] ?? dynType }));
  const flat = name === 'optFlatMap';
  return {
    type: flat ? inner.type : optionalOf(inner.type),
    run: (frame) => {
      const value = of.run(frame);
      if (!(value instanceof CelOptional)) throw new CelError('no such overload');
      if (!value.present) return value;
      frame.slots[slot] = value.value;
      const made = inner.run(frame);
      return flat ? made : new CelOptional(made);
    },
  };
}
