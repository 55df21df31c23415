import type { Clock, Scheme } from '@kubechain/apimachinery';
import type { AdmissionChain } from '../../admission/admission.ts';
import type { Authorizer } from '../../authorization/authorizer.ts';
import type { RESTStorage } from '../../registry/rest/storage.ts';
import type { APIGroupInfo } from '../../server/api-group-info.ts';
import type { DiscoveryManager } from '../discovery/discovery-manager.ts';
import type { ResourceRoutes } from '../route.ts';

/** What all endpoints of one server share. */
export interface APIInstallerOptions {
  readonly routes: ResourceRoutes;
  readonly discovery: DiscoveryManager;
  readonly admission: AdmissionChain;
  /** Asked for `create` when an update or apply creates, and for unsafe deletes. */
  readonly authorizer: Authorizer;
  readonly clock: Clock;
  /** Default 3 MiB; larger bodies are answered 413. */
  readonly maxRequestBodyBytes?: number;
  /** --min-request-timeout: watches without timeoutSeconds end after a random time between this and twice this. Default 1,800,000. */
  readonly minRequestTimeoutMs?: number;
  /** 0 to 1, for watch timeouts. Default Math.random. */
  readonly random?: () => number;
}

/** One resource or subresource that is installed at run time. */
export interface InstalledResource {
  readonly group: string;
  readonly version: string;
  /** `pods` or `pods/status`. */
  readonly path: string;
  readonly storage: RESTStorage;
  readonly scheme: Scheme;
  /** Custom resources: no protobuf, no router-level media type checks, unstructured list items. Default false. */
  readonly custom?: boolean;
}

/**
 * Turns storages into routes and discovery entries (upstream's APIInstaller). Groups can be added and removed while
 * the server runs; a request that is being served keeps the handler it started with.
 */
export class APIInstaller {
  readonly #options: APIInstallerOptions;

  constructor(options: APIInstallerOptions) {
    this.#options = options;
  }

  /** Installs all versions and resources of a group; versions are listed in discovery in the group's order. */
  installGroup(info: APIGroupInfo): void {
    void info; void this.#options;
    throw new TypeError('not built yet');
  }

  /** Installs resources of one or more group versions; discovery changes once per group version. */
  installResources(resources: Iterable<InstalledResource>): void {
    void resources;
    throw new TypeError('not built yet');
  }

  /** Takes a resource and its subresources out; a group version without resources leaves discovery. Does not close storages. */
  removeResource(group: string, version: string, resource: string): void {
    void group; void version; void resource;
    throw new TypeError('not built yet');
  }
}
