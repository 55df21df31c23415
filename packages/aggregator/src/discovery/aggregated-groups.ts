import { compareVersions } from '@kubechain/apimachinery';
import type {
  APIGroupDiscovery,
  APIVersionDiscovery,
  DiscoveryManager,
  DiscoveryPriority,
} from '@kubechain/apiserver/servers';
import { customPriority, localPriorities } from '../autoregister/local-priorities.ts';
import type { RemoteDiscovery } from './remote-discovery.ts';

/**
 * Where aggregated discovery comes from. Where several have a group version, extension API servers win, then the chain.
 */
export interface AggregatedSources {
  /** This server's own group. */
  readonly own: DiscoveryManager;
  /** What the chain behind this server serves. */
  readonly delegated: DiscoveryManager;
  readonly remote: RemoteDiscovery;
}

interface Row {
  readonly discovery: Partial<APIVersionDiscovery> & { readonly version: string };
  readonly priority: DiscoveryPriority;
}

/** The place of this server's own group: before all others. */
const ownPriority: DiscoveryPriority = { group: 20_000, version: 1_000 };

/**
 * All groups under /apis with their resources, by priority. What the chain serves is listed whatever its APIServices
 * say, as the reference does; theirs count for remote group versions only.
 */
export function aggregatedGroups({ own, delegated, remote }: AggregatedSources): APIGroupDiscovery[] {
  const groups = new Map<string, Map<string, Row>>();
  const put = (group: string, discovery: APIVersionDiscovery, priority: DiscoveryPriority): void => {
    if (group === '') return;
    let versions = groups.get(group);
    if (versions === undefined) groups.set(group, (versions = new Map()));
    const { version, resources, freshness } = discovery;
    versions.set(version, {
      priority,
      discovery: resources.length === 0 ? { version, freshness } : { version, resources, freshness },
    });
  };
  for (const groupVersion of delegated.groupVersions()) {
    const discovery = delegated.aggregatedVersion(groupVersion);
    if (discovery !== undefined)
      put(
        groupVersion.group,
        discovery,
        localPriorities.get(`${groupVersion.group}/${groupVersion.version}`) ?? customPriority,
      );
  }
  for (const {
    remote: { group, spec },
    discovery,
  } of remote.versions())
    put(group, discovery, { group: spec.groupPriorityMinimum, version: spec.versionPriority });
  for (const groupVersion of own.groupVersions()) {
    const discovery = own.aggregatedVersion(groupVersion);
    if (discovery !== undefined) put(groupVersion.group, discovery, ownPriority);
  }
  return [...groups]
    .map(([name, versions]) => ({
      name,
      rows: [...versions.values()],
      priority: Math.max(...[...versions.values()].map((row) => row.priority.group)),
    }))
    .sort((a, b) => b.priority - a.priority || (a.name < b.name ? -1 : 1))
    .map(({ name, rows }) => ({
      metadata: { name },
      versions: rows
        .sort(
          (a, b) =>
            b.priority.version - a.priority.version || compareVersions(a.discovery.version, b.discovery.version),
        )
        .map((row) => row.discovery as APIVersionDiscovery),
    }));
}
