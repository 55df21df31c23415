import type { Scheme } from '@kubechain/apimachinery';
import type { RESTStorage } from '../../registry/rest/storage.ts';
import type { StorageFacts } from './storage-facts.ts';

/** A storage that is made when the first request for it comes, and what is known of it before. */
export interface DeferredStorage {
  readonly facts: StorageFacts;
  readonly load: () => RESTStorage;
}

/**
 * Everything GenericAPIServer needs to install one API group (upstream's APIGroupInfo). `group` '' is installed under
 * /api.
 */
export interface APIGroupInfo {
  readonly group: string;
  /** Most preferred first; all of them are installed. */
  readonly prioritizedVersions: readonly string[];
  /** version → `pods` or `pods/status` → storage. */
  readonly versionedResources: ReadonlyMap<string, ReadonlyMap<string, RESTStorage>>;
  /** The same of storages that are made when the first request for them comes. Default: none. */
  readonly deferredResources?: ReadonlyMap<string, ReadonlyMap<string, DeferredStorage>>;
  readonly scheme: Scheme;
  /** Warnings of answers of deprecated resources, by `version/resource`; default those of the storages. */
  readonly deprecationWarnings?: ReadonlyMap<string, string>;
  /** Order of the group in aggregated discovery, higher first (APIService's groupPriorityMinimum). Default 1000. */
  readonly discoveryPriority?: number;
}
