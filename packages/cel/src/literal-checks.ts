import { append } from '@kubechain/apimachinery';
import type { CheckedExpr } from './checker.ts';
import { FormatProblem, clauseMismatch, formatParts } from './libraries/format-clauses.ts';
import type { FormatClause } from './libraries/format-clauses.ts';
import { compilePattern } from './libraries/patterns.ts';
import { succeeds } from './libraries/succeeds.ts';
import { partsOf } from './syntax/expr.ts';
import type { CallExpr, Expr, ListExpr } from './syntax/expr.ts';
import type { CelProblem } from './syntax/problems.ts';
import { dynType, isSameType, typeNameText, typeText, unwrapOptional } from './types/types.ts';
import type { CelType } from './types/types.ts';
import { isTime, parseCelDuration, parseTimestamp } from './values/time.ts';

/**
 * What is always wrong about constants: durations, times, patterns, and arguments of formats (cel-go cel/validator.go,
 * ext/formatting.go).
 */
export function checkLiterals(checked: CheckedExpr): readonly CelProblem[] {
  const problems: CelProblem[] = [];
  const visit = (expr: Expr, inFormat: boolean): void => {
    const isFormat = expr.kind === 'call' && expr.name === 'format';
    for (const part of partsOf(expr)) visit(part, inFormat || isFormat);
    if (expr.kind === 'call') {
      append(problems, checkArgument(expr));
      append(problems, checkFormat(expr, checked));
    } else if (!inFormat) append(problems, checkEntries(expr, checked));
  };
  visit(checked.expr, false);
  return problems;
}

/** Entries of lists and maps must have one type, but for those that are formatted. */
function checkEntries(expr: Expr, checked: CheckedExpr): readonly CelProblem[] {
  const typeAt = (entry: Expr, optional: boolean): CelType =>
    optional ? unwrapOptional(checked.typeOf(entry)) : checked.typeOf(entry);
  const differs = (entry: Expr, found: CelType, first: CelType): CelProblem[] =>
    isSameType(first, found)
      ? []
      : [{ at: entry.at, text: `expected type '${typeText(first)}' but found '${typeText(found)}'` }];
  if (expr.kind === 'list') {
    const types = expr.items.map((item, i) => typeAt(item, expr.optional.has(i)));
    return expr.items.flatMap((item, i) => differs(item, types[i] ?? dynType, types[0] ?? dynType)).slice(0, 1);
  }
  if (expr.kind !== 'map') return [];
  const [first] = expr.entries;
  if (first === undefined) return [];
  const keyType = checked.typeOf(first.key),
    valueType = typeAt(first.value, first.optional);
  return expr.entries.flatMap(({ key, value, optional }) => [
    ...differs(key, checked.typeOf(key), keyType),
    ...differs(value, typeAt(value, optional), valueType),
  ]);
}

const readers: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['duration', (value: unknown) => typeof value !== 'string' || succeeds(parseCelDuration, value)],
  [
    'timestamp',
    (value: unknown) =>
      typeof value === 'string' ? succeeds(parseTimestamp, value) : typeof value !== 'bigint' || isTime(value),
  ],
  ['matches', (value: unknown) => typeof value !== 'string' || typeof compilePattern(value) !== 'string'],
]);

function checkArgument({ name, args: [first] }: CallExpr): readonly CelProblem[] {
  const read = readers.get(name);
  if (read === undefined || first?.kind !== 'const' || read(first.value)) return [];
  return [{ at: first.at, text: `invalid ${name} argument` }];
}

/** A constant format with the arguments beside it is checked as far as their types are known. */
function checkFormat(expr: CallExpr, checked: CheckedExpr): readonly CelProblem[] {
  const {
    target,
    args: [list],
  } = expr;
  if (
    expr.name !== 'format' ||
    target?.kind !== 'const' ||
    typeof target.value !== 'string' ||
    list?.kind !== 'list' ||
    expr.args.length !== 1
  )
    return [];
  return checkArguments(target.value, { call: expr, list, checked });
}

function checkArguments(
  format: string,
  { call, list, checked }: { readonly call: CallExpr; readonly list: ListExpr; readonly checked: CheckedExpr },
): readonly CelProblem[] {
  let requested = 0;
  let arg: Expr | undefined;
  try {
    const take = (index: number): void => {
      requested++;
      arg = list.items[index];
    };
    for (const part of formatParts(format, take)) {
      if (typeof part === 'string') continue;
      if (arg === undefined) return [{ at: call.at, text: `index ${requested - 1} out of range` }];
      const bad = misfit(part, arg, checked);
      if (bad !== undefined) return [{ at: bad.at, text: clauseMismatch(part, typeNameText(checked.typeOf(bad))) }];
    }
  } catch (error) {
    if (!(error instanceof FormatProblem)) throw error;
    return [{ at: call.at, text: error.message }];
  }
  return list.items.length > requested
    ? [
        {
          at: call.at,
          text: `too many arguments supplied to string.format (expected ${requested}, got ${list.items.length})`,
        },
      ]
    : [];
}

const texts = [
  'list',
  'map',
  'int',
  'uint',
  'double',
  'bool',
  'string',
  'timestamp',
  'bytes',
  'duration',
  'type',
  'null',
];
const takes: Record<FormatClause['kind'], readonly string[]> = {
  string: texts,
  decimal: ['int', 'uint'],
  fixed: ['double', 'string'],
  scientific: ['double', 'string'],
  binary: ['int', 'uint', 'bool'],
  hex: ['int', 'uint', 'string', 'bytes'],
  octal: ['int', 'uint'],
};

/** The argument, or the part of it, that a clause cannot print. */
function misfit(clause: FormatClause, arg: Expr, checked: CheckedExpr): Expr | undefined {
  const { kind, name } = checked.typeOf(arg);
  if (kind !== 'dyn' && !takes[clause.kind].includes(name)) return arg;
  if (clause.kind !== 'string' || (arg.kind !== 'list' && arg.kind !== 'map')) return undefined;
  for (const part of partsOf(arg)) {
    const bad = misfit(clause, part, checked);
    if (bad !== undefined) return bad;
  }
  return undefined;
}
