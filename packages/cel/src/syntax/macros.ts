import type { Expr, FoldExpr, IdentExpr } from './expr.ts';
import type { CelProblem } from './problems.ts';

/** The variable that comprehensions accumulate in; no source can name it. */
export const accumulator = '@result';
const unusedVariable = '#unused';

/** A macro's call: `at` is where its parenthesis opens. */
export interface MacroCall {
  readonly at: number;
  readonly target: Expr | undefined;
  readonly args: readonly Expr[];
}
type Expansion = (call: MacroCall) => Expr | CelProblem;

/** What some environments have besides the macros of all. */
export interface Dialect {
  /** `cel.bind(name, value, expression)`. Default false. */
  readonly bindings?: boolean;
  /** Without the macro of lists, as up to 1.33. Default false. */
  readonly withoutLists?: boolean;
}

/** The expression that a macro call stands for; undefined where name and number of arguments are no macro's. */
export function expandMacro(
  name: string,
  call: MacroCall,
  { bindings = false, withoutLists = false }: Dialect = {},
): Expr | CelProblem | undefined {
  const { target, args } = call;
  if (bindings && name === 'bind' && args.length === 3 && target?.kind === 'ident' && target.name === 'cel')
    return bind(call);
  if (withoutLists && name === 'sortBy') return undefined;
  return macros.get(`${name}/${args.length}/${target === undefined ? 'global' : 'method'}`)?.(call);
}

/** The makers of expressions at a macro's place. */
function at(place: number): {
  constant: (value: unknown) => Expr;
  ident: (name: string) => IdentExpr;
  accu: () => IdentExpr;
  list: (...items: readonly Expr[]) => Expr;
  emptyMap: () => Expr;
  call: (name: string, ...args: readonly Expr[]) => Expr;
  method: (name: string, target: Expr, ...args: readonly Expr[]) => Expr;
  fold: (parts: Omit<FoldExpr, 'kind' | 'at'>) => Expr;
} {
  const ident = (name: string): IdentExpr => ({ kind: 'ident', at: place, name });
  return {
    ident,
    accu: () => ident(accumulator),
    constant: (value) => ({ kind: 'const', at: place, value }),
    list: (...items) => ({ kind: 'list', at: place, items, optional: new Set() }),
    emptyMap: () => ({ kind: 'map', at: place, entries: [] }),
    call: (name, ...args) => ({ kind: 'call', at: place, name, target: undefined, args }),
    method: (name, target, ...args) => ({ kind: 'call', at: place, name, target, args }),
    fold: (parts) => ({ kind: 'fold', at: place, ...parts }),
  };
}

interface Loop {
  readonly range: Expr;
  readonly vars: readonly [string] | readonly [string, string];
  readonly bodies: readonly Expr[];
}

/** Reads the variables of a comprehension, one or two. */
function loopOf(
  { target, args }: MacroCall,
  { pairs, complaint }: { readonly pairs: boolean; readonly complaint: string },
): Loop | CelProblem {
  const names: string[] = [];
  for (const arg of args.slice(0, pairs ? 2 : 1)) {
    if (arg.kind !== 'ident') return { at: arg.at, text: complaint };
    names.push(arg.name);
  }
  const [first = '', second] = names;
  if (second !== undefined && first === second) return { at: args[1]?.at, text: `duplicate variable name: ${first}` };
  for (const [i, name] of names.entries())
    if (name === accumulator || name === '__result__')
      return { at: args[i]?.at, text: 'iteration variable overwrites accumulator variable' };
  return {
    range: target as Expr,
    vars: second === undefined ? [first] : [first, second],
    bodies: args.slice(names.length),
  };
}

function isProblem(found: object): found is CelProblem {
  return 'text' in found;
}

const quantifier =
  (kind: 'all' | 'exists' | 'one', pairs: boolean): Expansion =>
  (call) => {
    const loop = loopOf(call, { pairs, complaint: 'argument must be a simple name' });
    if (isProblem(loop)) return loop;
    const make = at(call.at),
      test = loop.bodies[0] as Expr,
      { range, vars } = loop;
    const shared = { range, vars, accu: accumulator };
    switch (kind) {
      case 'all':
        return make.fold({
          ...shared,
          init: make.constant(true),
          condition: make.call('@not_strictly_false', make.accu()),
          step: make.call('_&&_', make.accu(), test),
          result: make.accu(),
        });
      case 'exists':
        return make.fold({
          ...shared,
          init: make.constant(false),
          condition: make.call('@not_strictly_false', make.call('!_', make.accu())),
          step: make.call('_||_', make.accu(), test),
          result: make.accu(),
        });
      case 'one':
        return make.fold({
          ...shared,
          init: make.constant(0n),
          condition: make.constant(true),
          step: make.call('_?_:_', test, make.call('_+_', make.accu(), make.constant(1n)), make.accu()),
          result: make.call('_==_', make.accu(), make.constant(1n)),
        });
    }
  };

/** A comprehension that collects; where a filter comes first, only of what satisfies it. */
const collect =
  (kind: 'list' | 'map' | 'entries', pairs: boolean): Expansion =>
  (call) => {
    const loop = loopOf(call, {
      pairs,
      complaint: pairs ? 'argument must be a simple name' : 'argument is not an identifier',
    });
    if (isProblem(loop)) return loop;
    const make = at(call.at),
      { range, vars, bodies } = loop;
    const made = bodies.at(-1) as Expr,
      filter = bodies.length > 1 ? bodies[0] : undefined;
    const added =
      kind === 'list'
        ? make.call('_+_', make.accu(), make.list(made))
        : kind === 'map'
          ? make.call('cel.@mapInsert', make.accu(), make.ident(vars[0]), made)
          : make.call('cel.@mapInsert', make.accu(), made);
    const step = filter === undefined ? added : make.call('_?_:_', filter, added, make.accu());
    return make.fold({
      range,
      vars,
      accu: accumulator,
      init: kind === 'list' ? make.list() : make.emptyMap(),
      condition: make.constant(true),
      step,
      result: make.accu(),
    });
  };

const filter: Expansion = (call) => {
  const loop = loopOf(call, { pairs: false, complaint: 'argument is not an identifier' });
  if (isProblem(loop)) return loop;
  const make = at(call.at),
    { range, vars, bodies } = loop;
  const step = make.call(
    '_?_:_',
    bodies[0] as Expr,
    make.call('_+_', make.accu(), make.list(call.args[0] as Expr)),
    make.accu(),
  );
  return make.fold({
    range,
    vars,
    accu: accumulator,
    init: make.list(),
    condition: make.constant(true),
    step,
    result: make.accu(),
  });
};

const has: Expansion = ({ at: place, args }) => {
  const arg = args[0] as Expr;
  return arg.kind === 'select'
    ? { kind: 'select', at: place, operand: arg.operand, field: arg.field, test: true }
    : { at: arg.at, text: 'invalid argument to has() macro' };
};

/** A variable that holds a value while an expression is evaluated: a comprehension over nothing. */
function bound(
  make: ReturnType<typeof at>,
  { name, value, body }: { readonly name: string; readonly value: Expr; readonly body: Expr },
): Expr {
  return make.fold({
    range: make.list(),
    vars: [unusedVariable],
    accu: name,
    init: value,
    condition: make.constant(false),
    step: make.ident(name),
    result: body,
  });
}

const bind: Expansion = ({ at: place, args }) => {
  const [variable, value, body] = args as [Expr, Expr, Expr];
  if (variable.kind !== 'ident')
    return { at: variable.at, text: 'cel.bind() variable names must be simple identifiers' };
  return bound(at(place), { name: variable.name, value, body });
};

const optional =
  (name: 'optMap' | 'optFlatMap'): Expansion =>
  ({ at: place, target, args }) => {
    const make = at(place);
    const [variable, body] = args as [Expr, Expr];
    const value = target as Expr;
    if (variable.kind !== 'ident')
      return { at: variable.at, text: `${name}() variable name must be a simple identifier` };
    const made = bound(make, { name: variable.name, value: make.method('value', value), body });
    return make.call(
      '_?_:_',
      make.method('hasValue', value),
      name === 'optMap' ? make.call('optional.of', made) : made,
      make.call('optional.none'),
    );
  };

const sortBy: Expansion = (call) => {
  const make = at(call.at),
    target = call.target as Expr,
    name = '@__sortBy_input__';
  if (!['list', 'select', 'ident', 'fold', 'call'].includes(target.kind))
    return {
      at: target.at,
      text: 'sortBy can only be applied to a list, identifier, comprehension, call or select expression',
    };
  const keys = collect('list', false)({ ...call, target: make.ident(name) });
  return isProblem(keys)
    ? keys
    : bound(make, { name, value: target, body: make.method('@sortByAssociatedKeys', make.ident(name), keys) });
};

/**
 * By name, number of arguments and kind: the standard ones, of optionals, of two variables and of lists (1.36's
 * environment).
 */
const macros: ReadonlyMap<string, Expansion> = new Map<string, Expansion>([
  ['has/1/global', has],
  ...(
    [
      [2, false],
      [3, true],
    ] as const
  ).flatMap(([count, pairs]): [string, Expansion][] => [
    [`all/${count}/method`, quantifier('all', pairs)],
    [`exists/${count}/method`, quantifier('exists', pairs)],
    [`exists_one/${count}/method`, quantifier('one', pairs)],
  ]),
  // The newer spelling came with two variables only.
  ['existsOne/3/method', quantifier('one', true)],
  ['map/2/method', collect('list', false)],
  ['map/3/method', collect('list', false)],
  ['filter/2/method', filter],
  ...[3, 4].flatMap((count): [string, Expansion][] => [
    [`transformList/${count}/method`, collect('list', true)],
    [`transformMap/${count}/method`, collect('map', true)],
    [`transformMapEntry/${count}/method`, collect('entries', true)],
  ]),
  ['optMap/2/method', optional('optMap')],
  ['optFlatMap/2/method', optional('optFlatMap')],
  ['sortBy/2/method', sortBy],
]);
