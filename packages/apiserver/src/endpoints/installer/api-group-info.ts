import type { Scheme } from '@kubechain/apimachinery';
import type { RESTStorage } from '../../registry/rest/storage.ts';

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
  readonly scheme: Scheme;
  /** Warnings of answers of deprecated resources, by `version/resource`; default those of the storages. */
  readonly deprecationWarnings?: ReadonlyMap<string, string>;
  /** Order of the group in aggregated discovery, higher first (APIService's groupPriorityMinimum). Default 1000. */
  readonly discoveryPriority?: number;
}
