import { RE2JS, RE2JSException } from 're2js';
import { CelError } from '../values/values.ts';

/** A pattern that was compiled. */
export type Pattern = RE2JS;

const compiled = new Map<string, RE2JS>();
/** Patterns kept compiled; schemas of a cluster repeat a few hundred. The map is emptied when full. */
const MAX_COMPILED = 4096;

/**
 * A pattern with the syntax and semantics of Go's regexp (RE2: linear time, no look-around), or Go's text of what is
 * wrong with it, `error parsing regexp: missing closing ]: …`.
 */
export function compilePattern(pattern: string): RE2JS | string {
  let regexp = compiled.get(pattern);
  if (regexp === undefined) {
    try {
      regexp = RE2JS.compile(pattern);
    } catch (error) {
      // Go names the expression at fault, here an empty one.
      if (error instanceof RE2JSException)
        return error.message.replace(/trailing backslash at end of expression$/, '$&: ``');
      throw error;
    }
    if (compiled.size >= MAX_COMPILED) compiled.clear();
    compiled.set(pattern, regexp);
  }
  return regexp;
}

/** A pattern for an expression. @throws CelError with Go's text of what is wrong with it */
export function patternOf(pattern: string): RE2JS {
  const regexp = compilePattern(pattern);
  if (typeof regexp === 'string') throw new CelError(regexp);
  return regexp;
}
