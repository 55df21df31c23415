import type { GroupVersion } from '@kubechain/apimachinery';
import type { APIGroup, APIGroupDiscovery, APIResource } from './api-resource.ts';

/** Order of groups and versions in discovery: higher first; APIService's groupPriorityMinimum and versionPriority. */
export interface DiscoveryPriority { readonly group: number; readonly version: number }

/**
 * What one server says about the groups, versions and resources that it serves. Changing it is cheap: documents are
 * made (as bytes) when they are asked for.
 */
export class DiscoveryManager {
  /** Adds or replaces the resources of a group version. Default priority: group 1000, version 15, as upstream. */
  setGroupVersion(groupVersion: GroupVersion, resources: readonly APIResource[], priority?: DiscoveryPriority): void {
    void groupVersion; void resources; void priority;
  }

  removeGroupVersion(groupVersion: GroupVersion): void { void groupVersion; }

  /** Resources of a group version; undefined when it is not served. */
  resources(groupVersion: GroupVersion): readonly APIResource[] | undefined { void groupVersion; return undefined; }

  /** Groups under /apis, in order (core is not among them). */
  groups(): readonly APIGroup[] { return []; }

  /** The aggregated form; '' is the core group. */
  aggregated(): readonly APIGroupDiscovery[] { return []; }

  /** Calls `listener` after each change, at most once a turn of the event loop. Returns the way to stop that. */
  onChange(listener: () => void): () => void { return listener; }
}
