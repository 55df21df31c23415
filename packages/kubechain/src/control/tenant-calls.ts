import type { TenantFacts } from '@kubechain/apiserver/control';
import type { ControlClient } from './control-client.ts';

/** The tenants of a chain: chains of their own on its port. */
export class TenantCalls {
  readonly #client: ControlClient;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  async list(): Promise<readonly TenantFacts[]> {
    return (await this.#client.json<{ readonly tenants: readonly TenantFacts[] }>('GET', '/v1/tenants')).tenants;
  }

  /** Resolves when it is ready. @throws LaunchError when its name is none, or is taken */
  create(name: string): Promise<TenantFacts> {
    return this.#client.json('POST', '/v1/tenants', { name });
  }

  /** Ends it, with all that it holds. @throws LaunchError when there is none of this name */
  async remove(name: string): Promise<void> {
    await this.#client.json('DELETE', `/v1/tenants/${encodeURIComponent(name)}`);
  }
}
