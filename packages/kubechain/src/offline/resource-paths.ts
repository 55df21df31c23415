import type { JSONClient } from '../testing/json-client.ts';

/** One resource of a group version. */
export interface FoundResource {
  readonly name: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly shortNames?: readonly string[];
  readonly singularName?: string;
  readonly verbs: readonly string[];
}

/** Finds resources by what objects say, from discovery, which is asked once for each group version. */
export class ResourcePaths {
  readonly #client: JSONClient;
  readonly #lists = new Map<string, Promise<readonly FoundResource[]>>();

  constructor(client: JSONClient) {
    this.#client = client;
  }

  /** The path of a group version: `/api/v1`, `/apis/apps/v1`. */
  static base(apiVersion: string): string {
    return apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  }

  /** Undefined where nobody serves it. */
  async find(apiVersion: string, kind: string): Promise<FoundResource | undefined> {
    const list = await this.of(apiVersion);
    return list.find((candidate) => candidate.kind === kind && !candidate.name.includes('/'));
  }

  of(apiVersion: string): Promise<readonly FoundResource[]> {
    let list = this.#lists.get(apiVersion);
    if (list === undefined) this.#lists.set(apiVersion, (list = this.#ask(apiVersion)));
    return list;
  }

  async #ask(apiVersion: string): Promise<readonly FoundResource[]> {
    const { status, text } = await this.#client.ask({ method: 'GET', path: ResourcePaths.base(apiVersion) });
    return status < 300 ? (JSON.parse(text) as { readonly resources: readonly FoundResource[] }).resources : [];
  }
}
