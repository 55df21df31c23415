/**
 * A parsed label selector. `matches` never throws. `unchanging`: nobody changes these labels any more, as those of
 * stored records, so that what is made of them may be remembered. Default: they may be others at the next call.
 */
export interface LabelSelector {
  /** True for the selector without requirements: everything matches. */
  readonly empty: boolean;
  matches(labels: Readonly<Record<string, string>> | undefined, unchanging?: boolean): boolean;
  /** Canonical text (`a=b,c in (d,e),!f`), as labels.Selector.String(). */
  toString(): string;
}

/** One term of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** A parsed field selector: a conjunction of `field=value` and `field!=value`. */
export interface FieldSelector {
  readonly empty: boolean;
  readonly requirements: readonly FieldRequirement[];
  matches(fields: Readonly<Record<string, string>> | undefined): boolean;
  toString(): string;
}
