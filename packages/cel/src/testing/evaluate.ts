import { compileExpression, isCompileFailure } from '../compile.ts';
import type { Evaluation, Program } from '../compile.ts';
import { baseFunctions } from '../libraries/libraries.ts';
import { intType, listOf, mapOf, optionalOf, stringType, dynType } from '../types/types.ts';
import type { CelType } from '../types/types.ts';
import { CelOptional, EntryMap, ItemList } from '../values/values.ts';

/** Variables that the specs' expressions use, with their types and values. */
const declared: readonly (readonly [name: string, type: CelType, value: unknown])[] = [
  ['n', intType, 5n],
  ['s', stringType, 'héllo'],
  ['l', listOf(intType), new ItemList([3n, 1n, 2n])],
  [
    'm',
    mapOf(stringType, intType),
    EntryMap.of([
      ['a', 1n],
      ['b', 2n],
    ]),
  ],
  ['any', dynType, '50%'],
  ['none', optionalOf(intType), CelOptional.none],
];
const limit = 1_000_000;
const variables = new Map(declared.map(([name, type]) => [name, type]));

/** Compiles an expression of the variables n, s, l, m, any and none: the program, or the text of what is wrong. */
export function compiled(source: string): Program | string {
  const program = compileExpression(source, { variables, functions: baseFunctions });
  return isCompileFailure(program) ? `${program.stage}: ${program.text}` : program;
}

/** Evaluates an expression. @throws TypeError if it does not compile */
export function evaluated(source: string, most = limit): Evaluation {
  const program = compiled(source);
  if (typeof program === 'string') throw new TypeError(program);
  return program.run(
    declared.map(([, , value]) => value),
    most,
  );
}
