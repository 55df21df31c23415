import type { ControlAnswer, ControlCall } from './control-call.ts';
import type { ControlSchema } from './control-schemas.ts';
import type { Control } from './control.ts';

/** What is in a path in place of `{name}`. */
export type PathParameters = Readonly<Record<string, string>>;

/** One call that there is, of a chain, or of what a call needs of one. */
export interface ControlRoute<Of = Control> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** `/v1/snapshots/{name}` */
  readonly path: string;
  /** What it does, in a sentence. */
  readonly summary: string;
  /** Parameters of the query, by name: what they mean. A name that ends in `*` may be given several times. */
  readonly query?: Readonly<Record<string, string>>;
  /** What it takes: JSON of a schema, or a text that is described. */
  readonly takes?: ControlSchema | string;
  /** What it answers: JSON of a schema, or a text that is described. */
  readonly answers: ControlSchema | string;
  /** Of success; default 200. */
  readonly status?: 201;
  /** Answers; may throw what `answerControlCall` knows. */
  handle(of: Of, call: ControlCall, parameters: PathParameters): Promise<ControlAnswer> | ControlAnswer;
}
