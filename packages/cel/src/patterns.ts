/** Patterns with Go's syntax, for who needs no expressions: those load ten times as much. */
export { compilePattern } from './libraries/patterns.ts';
export type { Pattern } from './libraries/patterns.ts';
