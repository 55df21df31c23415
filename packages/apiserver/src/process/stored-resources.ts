import type { Release } from '@kubechain/apimachinery';
import type { RESTOptionsGetter, SharedRecords } from '@kubechain/shared-storage';
import type { ResourceStorage, ResourceStorages } from '../informers/resource-storage.ts';
import { builtinResourceSpec } from '../registry/generic/builtin-resource-spec.ts';
import { createResource } from '../registry/generic/create-resource.ts';

/**
 * Built-in resources that a process only reads because another one serves them. One storage each, made when first asked
 * for.
 */
export class StoredResources implements ResourceStorages {
  readonly #restOptions: RESTOptionsGetter;
  readonly #records: SharedRecords | undefined;
  readonly #release: Release;
  readonly #made = new Map<string, ResourceStorage>();

  /**
   * @param restOptions without a cache: what is followed is kept by its follower
   * @param release whose resources these are
   */
  constructor(restOptions: RESTOptionsGetter, release: Release, records?: SharedRecords) {
    this.#release = release;
    this.#restOptions = restOptions;
    this.#records = records;
  }

  /** @throws RegistryError for a resource that is not built in */
  readonly get = (group: string, plural: string): ResourceStorage => {
    const name = `${plural}.${group}`;
    let resource = this.#made.get(name);
    if (resource === undefined)
      this.#made.set(
        name,
        (resource = createResource(
          builtinResourceSpec({ group, plural }, this.#release),
          this.#restOptions,
          this.#records === undefined ? {} : { shared: { records: this.#records, reader: 'stored' } },
        )),
      );
    return resource;
  };

  async close(): Promise<void> {
    await Promise.all([...this.#made.values()].map(({ storage }) => storage.close()));
  }
}
