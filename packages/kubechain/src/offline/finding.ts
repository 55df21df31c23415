import type { Place } from './source-object.ts';

/** What was found in an object. */
export interface Finding {
  readonly level: 'error' | 'warning';
  /** `invalid`, `forbidden`, `deprecated` and the like: the server's reason in lower case. */
  readonly rule: string;
  readonly message: string;
  readonly place: Place;
  /** `apps/v1 Deployment default/web`, as far as it is known. */
  readonly object: string;
}

/** An object, and what was found in it. */
export interface ValidatedObject {
  readonly object: string;
  readonly place: Place;
  readonly findings: readonly Finding[];
}
