/** What a limit counts. */
export type LimitUnit =
  | 'bytes'
  | 'characters'
  | 'connections'
  | 'cost units'
  | 'digits'
  | 'items'
  | 'levels'
  | 'ms'
  | 'nodes'
  | 'operations'
  | 'percent'
  | 'streams'
  | 'steps'
  | 'times'
  | 'values';

/** One row of the table of limits. */
export interface Limit {
  readonly value: number;
  readonly unit: LimitUnit;
  /** Of what, in a few words: `body of a request`. */
  readonly of: string;
  /** The reference's value in the same unit; `undefined` where it has no such limit. */
  readonly reference: number | undefined;
  /** Where the reference says so (file or flag), or why there is a limit where it has none. */
  readonly source: string;
  /** What who goes beyond it gets: status and text, or what is closed. */
  readonly refusal: string;
  /** The spec that shows it, by its path from the root. Its text names the limit's key. */
  readonly spec: string;
}
