import { FunctionTable, define } from '../functions.ts';
import type { CelFunction } from '../functions.ts';
import { authorizerFunctions } from './authorizers.ts';
import { comprehensionFunctions } from './comprehensions.ts';
import { formatFunctions } from './formats.ts';
import { listFunctions } from './lists.ts';
import { networkFunctions } from './network.ts';
import { optionalFunctions } from './optionals.ts';
import { quantityFunctions } from './quantities.ts';
import { regexFunctions } from './regexes.ts';
import { semverFunctions } from './semvers.ts';
import { standardFunctions } from './standard.ts';
import { stringFunctions } from './strings.ts';
import { urlFunctions } from './urls.ts';

/**
 * All functions of 1.36's base environment (apiserver/cel/environment/base.go). The order of overloads is that in which
 * the reference declares them.
 */
const base: readonly CelFunction[] = [
  ...standardFunctions,
  ...urlFunctions,
  ...regexFunctions,
  ...listFunctions,
  ...optionalFunctions,
  ...quantityFunctions,
  ...stringFunctions,
  ...networkFunctions,
  ...formatFunctions,
  ...comprehensionFunctions,
  ...semverFunctions,
  ...authorizerFunctions,
];

/** Functions of all expressions. */
export const baseFunctions = new FunctionTable(base);

/** Functions of lists that came with 1.34 (cel-go ext/lists.go, version 3). */
const listsSince134: ReadonlySet<string> = new Set([
  '@sortByAssociatedKeys',
  'distinct',
  'flatten',
  'lists.range',
  'reverse',
  'slice',
  'sort',
]);

const former = base.filter(({ name }) => !listsSince134.has(name));

/**
 * What new expressions of 1.34 may use: a release lets nothing be written that the one before it cannot read. Later
 * ones have the same functions as those before them.
 */
export const formerFunctions = new FunctionTable(former);

/** apiserver/cel/library/jsonpatch.go, 1.36. */
const escapeKey = define('jsonpatch.escapeKey(string): string', (key: string) =>
  key.replace(/[~/]/g, (c) => (c === '/' ? '~1' : '~0')),
);

/** Functions of expressions that make patches. */
export const patchFunctions = new FunctionTable([...base, escapeKey]);

/** The same for new expressions of 1.34. */
export const formerPatchFunctions = new FunctionTable([...former, escapeKey]);
