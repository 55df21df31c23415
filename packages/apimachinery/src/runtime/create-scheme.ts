import type { Converter } from './converter.ts';
import type { Defaulter } from './defaulter.ts';
import type { KindInfo, Scheme } from './scheme.ts';

export interface SchemeOptions {
  readonly kinds: Iterable<KindInfo>;
  readonly converters?: Iterable<Converter>;
  readonly defaulters?: Iterable<Defaulter>;
  /** Versions of each group, most preferred first; default: by Kubernetes' version order. */
  readonly versions?: ReadonlyMap<string, readonly string[]>;
}

/** A Scheme over the given kinds. Kinds may be thousands; nothing is compiled before it is used. */
export function createScheme(options: SchemeOptions): Scheme {
  void options;
  throw new TypeError('not built yet');
}
