import type { Flag } from './flag.ts';

/** Flags of one concern by name (without dashes), under the heading that help shows. */
export interface FlagSet<F extends Readonly<Record<string, Flag<unknown>>> = Readonly<Record<string, Flag<unknown>>>> {
  /** Heading without `flags:`, e.g. `Secure serving`. */
  readonly title: string;
  readonly flags: F;
}

/** Values of a flag set, keyed by flag name: `values['secure-port']`. */
export type FlagValues<S extends FlagSet> = {
  readonly [K in keyof S['flags']]: S['flags'][K] extends Flag<infer T> ? T : never;
};

/** Groups flags so that processes can share them: each process lists the sets that it knows. */
export function flagSet<const F extends Readonly<Record<string, Flag<unknown>>>>(title: string, flags: F): FlagSet<F> {
  return { title, flags };
}
