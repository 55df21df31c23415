import type { ActiveFault, FaultRule } from '@kubechain/apiserver/control';
import type { ControlClient } from './control-client.ts';

/** A fault that is set; disposing of it removes it. */
export interface SetFault extends AsyncDisposable {
  readonly id: string;
  /** How often it has happened so far. */
  happened(): Promise<number>;
  remove(): Promise<void>;
}

/** Faults that requests meet. */
export class Faults {
  readonly #client: ControlClient;

  constructor(client: ControlClient) {
    this.#client = client;
  }

  /**
   * Sets a fault: `{ match: { verbs: ['update'], resources: ['deployments/status'] }, effect: { kind: 'status', code:
   * 409 }, count: 2 }`.
   * @throws LaunchError that names what is wrong with it
   */
  async add(rule: FaultRule): Promise<SetFault> {
    const { id } = await this.#client.json<ActiveFault>('POST', '/v1/faults', rule);
    const remove = async (): Promise<void> => {
      if ((await this.list()).some((fault) => fault.id === id)) await this.#client.json('DELETE', `/v1/faults/${id}`);
    };
    return {
      id,
      happened: async () => (await this.list()).find((fault) => fault.id === id)?.happened ?? 0,
      remove,
      [Symbol.asyncDispose]: remove,
    };
  }

  async list(): Promise<readonly ActiveFault[]> {
    return (await this.#client.json<{ readonly faults: readonly ActiveFault[] }>('GET', '/v1/faults')).faults;
  }

  /** Removes all of them. */
  async clear(): Promise<void> {
    await this.#client.json('DELETE', '/v1/faults');
  }

  /** Ends all watches with 410, as if what they know had been compacted; answers how many. */
  async expireWatches(): Promise<number> {
    return (await this.#client.json<{ readonly expired: number }>('POST', '/v1/watches/expire')).expired;
  }
}
