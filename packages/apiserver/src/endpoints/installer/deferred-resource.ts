import type { Scheme } from '@kubechain/apimachinery';
import type { RESTStorage } from '../../registry/rest/storage.ts';
import type { InstalledResource } from './installed-resource.ts';

/** A resource whose storage is made when somebody looks at it. */
export class DeferredResource implements InstalledResource {
  readonly group: string;
  readonly version: string;
  readonly path: string;
  readonly scheme: Scheme;
  declare readonly deprecationWarning?: string;
  readonly #load: () => RESTStorage;

  constructor({
    deprecationWarning,
    load,
    ...facts
  }: Pick<InstalledResource, 'group' | 'path' | 'scheme' | 'version'> & {
    readonly load: () => RESTStorage;
    readonly deprecationWarning: string | undefined;
  }) {
    this.group = facts.group;
    this.version = facts.version;
    this.path = facts.path;
    this.scheme = facts.scheme;
    this.#load = load;
    if (deprecationWarning !== undefined) this.deprecationWarning = deprecationWarning;
  }

  get storage(): RESTStorage {
    return this.#load();
  }
}
