import type { ControlAnswer, ControlCall } from './control-call.ts';

/** What is known of a tenant, a chain of its own on the port of another one. */
export interface TenantFacts {
  readonly name: string;
  /** `https://127.0.0.1:6443/tenants/NAME` */
  readonly url: string;
  /** Bearer token with full rights there, and none elsewhere. */
  readonly token: string;
}

/** A tenant cannot be made: its name is none, or is taken. */
export class TenantError extends Error {
  override readonly name = 'TenantError';
}

/** Makes and ends the tenants of a chain. */
export interface TenantKeeper {
  /** By name. */
  list(): Promise<readonly TenantFacts[]>;
  /** Resolves when it is ready. @throws TenantError */
  create(name: string): Promise<TenantFacts>;
  /** Ends it, with all that it holds; false: there is none of that name. */
  remove(name: string): Promise<boolean>;
  /** Answers a call of its own control API; undefined: there is none of that name. */
  answer(name: string, call: ControlCall): Promise<ControlAnswer | undefined>;
}
