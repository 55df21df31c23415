import type { Converter } from './converter.ts';

/** Conversions between built-in versions that differ in more than apiVersion. */
export const builtinConverters: readonly Converter[] = [];
