import { define } from '../functions.ts';
import type { CelFunction } from '../functions.ts';
import { CelError, ItemList, isCelError } from '../values/values.ts';
import { patternOf } from './patterns.ts';

/** Matches of a pattern from left to right; all for a negative limit. @throws CelError */
function findAll(text: string, pattern: string, limit = -1n): ItemList {
  const found: string[] = [];
  const matcher = compiled(pattern).matcher(text);
  while ((limit < 0n || BigInt(found.length) < limit) && matcher.find()) found.push(matcher.group() ?? '');
  return new ItemList(found);
}

function find(text: string, pattern: string): string {
  const matcher = compiled(pattern).matcher(text);
  return matcher.find() ? (matcher.group() ?? '') : '';
}

function compiled(pattern: string): ReturnType<typeof patternOf> {
  try {
    return patternOf(pattern);
  } catch (error) {
    throw isCelError(error) ? new CelError(`Illegal regex: ${error.message}`) : error;
  }
}

/** Parts of texts (apiserver/cel/library/regex.go, 1.36). */
export const regexFunctions: readonly CelFunction[] = [
  define('string.find(string): string', find),
  define('string.findAll(string): list(string)', findAll),
  define('string.findAll(string, int): list(string)', findAll),
];
