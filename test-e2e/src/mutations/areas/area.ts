import type { Client } from '../../harness/client.ts';
import type { TrialRequest } from '../requests.ts';
import type { Schemas } from '../schemas.ts';
import type { Value, Values } from '../values.ts';

export type ObjectMap = { [name: string]: Value };
/** What stands at a path (`spec.containers.0.image`) otherwise: one of these; undefined removes it. */
export type Changes = Readonly<Record<string, readonly (Value | undefined)[]>>;

/** What requests are made of. */
export interface AreaContext {
  readonly values: Values;
  readonly schemas: Schemas;
}

/** Requests about one thing, which change nothing, and what both servers must have before. */
export interface Area {
  /** Makes what requests are about. @throws when a server refuses it */
  prepare(both: readonly Client[]): Promise<void>;
  request(context: AreaContext): TrialRequest;
}
