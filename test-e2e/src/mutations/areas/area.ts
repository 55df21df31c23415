import type { Client } from '../../harness/client.ts';
import type { TrialRequest } from '../requests.ts';
import type { Schemas } from '../schemas.ts';
import type { Values } from '../values.ts';

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
