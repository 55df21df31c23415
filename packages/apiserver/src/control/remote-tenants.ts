import { callControl } from '../peers/ask-control.ts';
import { TenantRouter } from '../server/tenant-router.ts';
import type { ControlAnswer, ControlCall } from './control-call.ts';
import { TenantError, type TenantFacts, type TenantKeeper } from './tenant-keeper.ts';
import { TenantProxy } from './tenant-proxy.ts';

/**
 * The tenants of a chain of processes. They are in a process of their own, which is started with the first of them;
 * this one finds them on the secure port and hands their requests on.
 */
export class RemoteTenants implements TenantKeeper {
  readonly router = new TenantRouter();
  readonly #socketPath: string;
  readonly #start: () => Promise<void>;
  readonly #proxy: TenantProxy;

  constructor(socketPath: string, start: () => Promise<void>) {
    this.#socketPath = socketPath;
    this.#start = start;
    this.#proxy = new TenantProxy(socketPath);
  }

  /** Finds those that an earlier process has made. Does not reject: where nobody answers, there are none. */
  async find(): Promise<void> {
    for (const { name } of await this.list()) this.#route(name);
  }

  async list(): Promise<readonly TenantFacts[]> {
    const answer = await this.#call({ method: 'GET', path: '/v1/tenants' });
    return (answer?.body as { readonly tenants: readonly TenantFacts[] } | undefined)?.tenants ?? [];
  }

  async create(name: string): Promise<TenantFacts> {
    await this.#start();
    const answer = await this.#call({ method: 'POST', path: '/v1/tenants', body: JSON.stringify({ name }) });
    if (answer?.status !== 201) throw new TenantError(errorIn(answer));
    this.#route(name);
    return answer.body as TenantFacts;
  }

  async remove(name: string): Promise<boolean> {
    this.router.remove(name);
    const answer = await this.#call({ method: 'DELETE', path: `/v1/tenants/${encodeURIComponent(name)}` });
    return answer?.status === 200;
  }

  async answer(name: string, call: ControlCall): Promise<ControlAnswer | undefined> {
    const path = call.path.replace(/^\/v1(?=\/)/, `/v1/tenants/${encodeURIComponent(name)}`);
    return this.#call({ ...call, path });
  }

  close(): void {
    this.#proxy.close();
  }

  #route(name: string): void {
    this.router.add(name, this.#proxy.targetsOf(name));
  }

  /** Undefined where the process does not run. */
  async #call(call: Pick<ControlCall, 'method' | 'path'> & Partial<ControlCall>): Promise<ControlAnswer | undefined> {
    try {
      return await callControl(this.#socketPath, call);
    } catch (error) {
      const { code } = error as { readonly code?: unknown };
      if (code === 'ENOENT' || code === 'ECONNREFUSED') return undefined;
      throw error;
    }
  }
}

function errorIn(answer: ControlAnswer | undefined): string {
  if (answer === undefined) return 'the process of the tenants does not answer';
  return (answer.body as { readonly error?: string }).error ?? `the process of the tenants answered ${answer.status}`;
}
