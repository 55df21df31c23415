import { compareVersions } from '@kubechain/apimachinery';
import type { GroupVersion } from '@kubechain/apimachinery';
import { aggregatedResources } from './aggregated-resources.ts';
import type { APIGroup, APIGroupDiscovery, APIResource, APIVersionDiscovery } from './api-resource.ts';

/** Order of groups and versions in discovery: higher first; APIService's groupPriorityMinimum and versionPriority. */
export interface DiscoveryPriority {
  readonly group: number;
  readonly version: number;
}

export interface GroupVersionOptions {
  /** Default: group 1000, version 15, as upstream. */
  readonly priority?: DiscoveryPriority;
  /** The aggregated form names group and version of every kind (custom resources). Default false. */
  readonly qualifiedKinds?: boolean;
}

/** What a change of discovery was about. */
export interface DiscoveryChange {
  readonly groupVersion: GroupVersion;
  /** The group version is (still) served. */
  readonly served: boolean;
}

interface Entry {
  readonly groupVersion: GroupVersion;
  readonly resources: readonly APIResource[];
  readonly priority: DiscoveryPriority;
  /** Made when it is first asked for. */
  readonly aggregated: () => APIVersionDiscovery;
  readonly qualifiedKinds: boolean;
}

const defaultPriority: DiscoveryPriority = { group: 1000, version: 15 };

/**
 * What one server says about the groups, versions and resources that it serves. Changing it is cheap: documents are
 * made when they are asked for.
 */
export class DiscoveryManager {
  /** group → version → entry; groups in order of arrival. */
  readonly #groups = new Map<string, Map<string, Entry>>();
  readonly #listeners = new Set<(change: DiscoveryChange) => void>();
  readonly #byPriority: boolean;
  #generation = 0;

  /** `byPriority`: the list of groups is in order of priority, as the aggregator's; default: in order of arrival. */
  constructor(options: { readonly byPriority?: boolean } = {}) {
    this.#byPriority = options.byPriority ?? false;
  }

  /** Grows with each change: documents made at one generation are good until the next. */
  get generation(): number {
    return this.#generation;
  }

  /** Adds or replaces the resources of a group version. */
  setGroupVersion(
    groupVersion: GroupVersion,
    resources: readonly APIResource[],
    options: GroupVersionOptions = {},
  ): void {
    const { group, version } = groupVersion;
    let versions = this.#groups.get(group);
    if (versions === undefined) this.#groups.set(group, (versions = new Map()));
    let made: APIVersionDiscovery | undefined;
    const aggregated = (): APIVersionDiscovery =>
      (made ??= {
        version,
        resources: aggregatedResources(resources, options.qualifiedKinds === true ? groupVersion : undefined),
        freshness: 'Current',
      });
    versions.set(version, {
      groupVersion,
      resources,
      priority: options.priority ?? defaultPriority,
      aggregated,
      qualifiedKinds: options.qualifiedKinds === true,
    });
    this.#changed({ groupVersion, served: true });
  }

  removeGroupVersion(groupVersion: GroupVersion): void {
    const versions = this.#groups.get(groupVersion.group);
    if (versions?.delete(groupVersion.version) !== true) return;
    if (versions.size === 0) this.#groups.delete(groupVersion.group);
    this.#changed({ groupVersion, served: false });
  }

  /** Resources of a group version; undefined when it is not served. */
  resources(groupVersion: GroupVersion): readonly APIResource[] | undefined {
    return this.#groups.get(groupVersion.group)?.get(groupVersion.version)?.resources;
  }

  /** Whether the aggregated form names group and version of every kind. */
  hasQualifiedKinds(groupVersion: GroupVersion): boolean {
    return this.#groups.get(groupVersion.group)?.get(groupVersion.version)?.qualifiedKinds === true;
  }

  /** One version in the aggregated form; undefined when it is not served. */
  aggregatedVersion(groupVersion: GroupVersion): APIVersionDiscovery | undefined {
    return this.#groups.get(groupVersion.group)?.get(groupVersion.version)?.aggregated();
  }

  /** Groups under /apis (core is not among them). */
  groups(): APIGroup[] {
    const names = [...this.#groups.keys()].filter((name) => name !== '');
    if (this.#byPriority) names.sort((a, b) => this.#groupPriority(b) - this.#groupPriority(a) || (a < b ? -1 : 1));
    return names.map((name) => this.group(name) as APIGroup);
  }

  /** One group; undefined when it is not served. */
  group(name: string): APIGroup | undefined {
    const entries = this.#sorted(name);
    if (entries.length === 0) return undefined;
    const versions = entries.map(({ groupVersion: { version } }) => ({
      groupVersion: name === '' ? version : `${name}/${version}`,
      version,
    }));
    return { name, versions, preferredVersion: versions[0] as APIGroup['preferredVersion'] };
  }

  /** The aggregated form of the groups under /apis, best first; of the core group with `core`. */
  aggregated(options: { readonly core: boolean } = { core: false }): APIGroupDiscovery[] {
    const groups: { readonly name: string; readonly priority: number; readonly discovery: APIGroupDiscovery }[] = [];
    for (const name of this.#groups.keys()) {
      if ((name === '') !== options.core) continue;
      const entries = this.#sorted(name);
      groups.push({
        name,
        priority: this.#groupPriority(name),
        discovery: { metadata: name === '' ? {} : { name }, versions: entries.map((entry) => entry.aggregated()) },
      });
    }
    groups.sort((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1));
    return groups.map((group) => group.discovery);
  }

  /** Calls `listener` after each change, before the change's method returns. Returns the way to stop that. */
  onChange(listener: (change: DiscoveryChange) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** All group versions that are served. */
  *groupVersions(): Generator<GroupVersion> {
    for (const versions of this.#groups.values()) for (const entry of versions.values()) yield entry.groupVersion;
  }

  #groupPriority(group: string): number {
    let highest = 0;
    for (const { priority } of this.#groups.get(group)?.values() ?? [])
      if (priority.group > highest) highest = priority.group;
    return highest;
  }

  #sorted(group: string): Entry[] {
    return [...(this.#groups.get(group)?.values() ?? [])].sort(
      (a, b) =>
        b.priority.version - a.priority.version || compareVersions(a.groupVersion.version, b.groupVersion.version),
    );
  }

  #changed(change: DiscoveryChange): void {
    this.#generation++;
    for (const listener of this.#listeners) listener(change);
  }
}
