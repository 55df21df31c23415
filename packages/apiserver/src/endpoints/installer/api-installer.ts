import { compareText } from '@kubechain/apimachinery';
import type { GroupVersion, GroupVersionResource } from '@kubechain/apimachinery';
import type { EquivalentResource } from '../../admission/admission.ts';
import type { CustomResourceOpenAPI } from './custom-resource-open-api.ts';
import type { APIGroupInfo } from './api-group-info.ts';
import type { APIResource } from '../discovery/api-resource.ts';
import type { DiscoveryPriority } from '../discovery/discovery-manager.ts';
import { RecordViews } from '../handlers/record-views.ts';
import { WorkShare } from '../../request/work-share.ts';
import { heapLimit } from '../../watchdog/heap-gauge.ts';
import type { ResourceRoute } from '../route.ts';
import { apiResourceOf } from './api-resource-of.ts';
import type { APIInstallerOptions, InstalledResource } from './installed-resource.ts';
import { requestScopeOf } from './request-scope-of.ts';
import type { ScopeOptions } from './request-scope-of.ts';
import { DeferredResource } from './deferred-resource.ts';
import { DeferredRoute } from './deferred-route.ts';
import type { LazyResource } from './lazy-resource.ts';
import { routeOf } from './route-of.ts';
import { routeFactsOf } from './storage-facts.ts';

const eventGroups: ReadonlySet<string> = new Set(['', 'events.k8s.io']);

/** What is installed of one group version, with its discovery entries, by path. */
interface InstalledVersion {
  readonly groupVersion: GroupVersion;
  readonly resources: Map<string, APIResource>;
  readonly installed: Map<string, InstalledResource>;
  readonly lazy: Map<string, LazyResource>;
  priority: DiscoveryPriority | undefined;
  custom: boolean;
}

/**
 * Turns storages into routes and discovery entries (upstream's APIInstaller). Groups can be added and removed while
 * the server runs; a request that is being served keeps the handler it started with.
 */
export class APIInstaller {
  readonly #options: ScopeOptions;
  readonly #versions = new Map<string, InstalledVersion>();

  constructor(options: APIInstallerOptions) {
    this.#options = {
      equivalents: (resource, subresource) => this.#equivalents(resource, subresource),
      views: new RecordViews(),
      work: new WorkShare({ heapBytes: heapLimit }),
      ...options,
    };
  }

  /**
   * Installs all versions and resources of a group; versions are listed in discovery in the group's order.
   * @throws RegistryError when a kind is not in the scheme
   */
  installGroup(info: APIGroupInfo): void {
    const { group, prioritizedVersions, scheme, versionedResources } = info;
    prioritizedVersions.forEach((version, index) => {
      const resources = [...(versionedResources.get(version) ?? [])].map(([path, storage]) => {
        const deprecationWarning = info.deprecationWarnings?.get(`${version}/${path.split('/')[0] ?? ''}`);
        return {
          group,
          version,
          path,
          storage,
          scheme,
          ...(deprecationWarning === undefined ? {} : { deprecationWarning }),
        };
      });
      const priority = { group: info.discoveryPriority ?? 1000, version: Math.max(1, 100 - index) };
      this.installResources(resources, priority);
      this.#installDeferred(info, version, priority);
    });
  }

  #routeOf(installed: InstalledResource): ResourceRoute {
    const route = (): ResourceRoute => routeOf(requestScopeOf(installed, this.#options));
    // What answers for custom resources is known with its handlers alone.
    return this.#options.deferRoutes === true && installed.custom !== true
      ? new DeferredRoute(routeFactsOf(installed.storage), route)
      : route();
  }

  /** Installs what a group version has of storages that are made with the first request for them. */
  #installDeferred(info: APIGroupInfo, version: string, priority: DiscoveryPriority): void {
    const deferred = info.deferredResources?.get(version);
    if (deferred === undefined) return;
    const { group, scheme } = info;
    const entry = this.#version({ group, version });
    for (const [path, { facts, load }] of deferred) {
      const [resource = '', subresource = ''] = path.split('/');
      const deprecationWarning = info.deprecationWarnings?.get(`${version}/${resource}`);
      const installed = new DeferredResource({ group, version, path, scheme, load, deprecationWarning });
      this.#options.routes.set(
        { group, version, resource, subresource },
        new DeferredRoute(facts.route, () => routeOf(requestScopeOf(installed, this.#options))),
      );
      entry.resources.set(path, facts.entry);
      entry.installed.set(path, installed);
    }
    entry.priority = priority;
    this.#publish(entry);
  }

  /** Installs resources of one or more group versions; discovery changes once per group version. */
  installResources(resources: Iterable<InstalledResource>, priority?: DiscoveryPriority): void {
    const changed = new Set<InstalledVersion>();
    for (const installed of resources) {
      const { group, path, storage, version } = installed;
      const [resource = '', subresource = ''] = path.split('/');
      this.#options.routes.set({ group, version, resource, subresource }, this.#routeOf(installed));
      const entry = this.#version({ group, version });
      entry.resources.set(path, apiResourceOf(path, storage, { group, version }));
      entry.installed.set(path, installed);
      if (priority !== undefined) entry.priority = priority;
      if (installed.custom === true) entry.custom = true;
      changed.add(entry);
    }
    for (const entry of changed) this.#publish(entry);
  }

  /**
   * Installs custom resources; their storages and handlers are made with the first request for them. Built-in resources
   * win: a definition under the name of one is not served. Nor are other custom resources of a group that has built-in
   * ones, since the reference routes all paths of such a group itself; OpenAPI describes them all the same, and
   * discovery lists those that are in versions of their own.
   */
  installLazily(resources: Iterable<LazyResource>): void {
    const changed = new Set<InstalledVersion>();
    for (const lazy of resources) {
      const { group, path, version } = lazy;
      const [resource = '', subresource = ''] = path.split('/');
      const entry = this.#version({ group, version });
      if (entry.installed.has(resource)) continue;
      if (!this.#hasBuiltIn(group))
        this.#options.routes.set(
          { group, version, resource, subresource },
          new DeferredRoute({ custom: true, acceptsSubpath: true, namespaced: lazy.namespaced }, () =>
            routeOf(requestScopeOf(lazy.load(), this.#options)),
          ),
        );
      entry.lazy.set(path, lazy);
      if (entry.installed.size > 0) {
        changed.add(entry);
        continue;
      }
      entry.custom = true;
      if (lazy.entry !== undefined) entry.resources.set(path, lazy.entry);
      else if (!entry.resources.delete(path)) continue;
      changed.add(entry);
    }
    for (const entry of changed) this.#publish(entry);
  }

  /**
   * Takes a resource and its subresources out; a group version without resources leaves discovery. Does not close
   * storages.
   */
  removeResource(group: string, version: string, resource: string): void {
    const entry = this.#versions.get(keyOf({ group, version }));
    if (entry === undefined) return;
    for (const path of new Set([...entry.resources.keys(), ...entry.lazy.keys()])) {
      const [name = '', subresource = ''] = path.split('/');
      if (name !== resource) continue;
      this.#options.routes.delete({ group, version, resource: name, subresource });
      entry.resources.delete(path);
      entry.installed.delete(path);
      entry.lazy.delete(path);
    }
    this.#publish(entry);
  }

  /** The same for a custom resource; does nothing when none is installed under that name. */
  removeLazy(group: string, version: string, resource: string): void {
    if (this.#versions.get(keyOf({ group, version }))?.lazy.has(resource) === true)
      this.removeResource(group, version, resource);
  }

  /** All group versions of which something is in discovery. */
  *groupVersions(): Generator<GroupVersion> {
    for (const { groupVersion, resources } of this.#versions.values()) if (resources.size > 0) yield groupVersion;
  }

  /** What is installed of a group version, in order of installation; custom resources are not among them. */
  installedResources(groupVersion: GroupVersion): readonly InstalledResource[] {
    return [...(this.#versions.get(keyOf(groupVersion))?.installed.values() ?? [])];
  }

  /**
   * What OpenAPI documents say of the custom resources of a group version, by name: of each when it is its turn, for
   * which its schema is read.
   */
  *customResources(groupVersion: GroupVersion): Generator<CustomResourceOpenAPI> {
    const lazy = [...(this.#versions.get(keyOf(groupVersion))?.lazy.values() ?? [])].sort((a, b) =>
      a.path < b.path ? -1 : 1,
    );
    for (const resource of lazy) {
      const custom = resource.entry === undefined ? undefined : resource.openAPI?.();
      if (custom !== undefined) yield custom;
    }
  }

  /** Whether a group version has built-in resources, and so documents of its group. */
  isBuiltIn(groupVersion: GroupVersion): boolean {
    return (this.#versions.get(keyOf(groupVersion))?.installed.size ?? 0) > 0;
  }

  #hasBuiltIn(group: string): boolean {
    for (const { groupVersion, installed } of this.#versions.values())
      if (groupVersion.group === group && installed.size > 0) return true;
    return false;
  }

  /**
   * The same resource of the other versions of its group, and of groups that have the same storage; events are one
   * resource in two groups.
   */
  #equivalents({ group, resource, version }: GroupVersionResource, subresource: string): readonly EquivalentResource[] {
    const path = subresource === '' ? resource : `${resource}/${subresource}`;
    const storage = this.#versions.get(keyOf({ group, version }))?.installed.get(resource)?.storage;
    const found: EquivalentResource[] = [];
    for (const { groupVersion, installed, resources } of this.#versions.values()) {
      const same =
        groupVersion.group === group
          ? groupVersion.version !== version
          : (resource === 'events' && eventGroups.has(group) && eventGroups.has(groupVersion.group)) ||
            (storage !== undefined && installed.get(resource)?.storage === storage);
      const entry = same ? resources.get(path) : undefined;
      if (entry !== undefined)
        found.push({
          resource: { ...groupVersion, resource },
          kind: {
            group: entry.group ?? groupVersion.group,
            version: entry.version ?? groupVersion.version,
            kind: entry.kind,
          },
        });
    }
    return found;
  }

  #version(groupVersion: GroupVersion): InstalledVersion {
    const key = keyOf(groupVersion);
    let entry = this.#versions.get(key);
    if (entry === undefined)
      this.#versions.set(
        key,
        (entry = {
          groupVersion,
          resources: new Map(),
          installed: new Map(),
          lazy: new Map(),
          priority: undefined,
          custom: false,
        }),
      );
    return entry;
  }

  #publish(entry: InstalledVersion): void {
    if (entry.resources.size + entry.lazy.size === 0) this.#versions.delete(keyOf(entry.groupVersion));
    if (entry.resources.size === 0) {
      this.#options.discovery.removeGroupVersion(entry.groupVersion);
      return;
    }
    const sorted = [...entry.resources]
      .sort(([a], [b]) => (entry.custom ? compareCustom(a, b) : compareText(a, b)))
      .map(([, resource]) => resource);
    this.#options.discovery.setGroupVersion(entry.groupVersion, sorted, {
      qualifiedKinds: entry.custom,
      ...(entry.priority === undefined ? {} : { priority: entry.priority }),
    });
  }
}

/** The discovery of custom resources has `status` before `scale`. */
function compareCustom(a: string, b: string): number {
  const [resource = '', subresource = ''] = a.split('/');
  const [otherResource = '', otherSubresource = ''] = b.split('/');
  return (
    compareText(resource, otherResource) ||
    customSubresources.indexOf(subresource) - customSubresources.indexOf(otherSubresource)
  );
}

const customSubresources = ['', 'status', 'scale'];

function keyOf({ group, version }: GroupVersion): string {
  return `${group}/${version}`;
}
