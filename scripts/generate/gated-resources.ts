import { optionalResourceTable } from './optional-resources.ts';
import type { AllResources } from './optional-resources.ts';
import type { GoFacts } from './facts.ts';
import type { Discovery, EtcdPaths } from './resources.ts';

/** Feature gates of resources, by `group/resource` (pkg/registry/GROUP/rest, which no server tells). */
const gates: Readonly<Record<string, string>> = {
  'certificates.k8s.io/clustertrustbundles': 'ClusterTrustBundle',
  'certificates.k8s.io/podcertificaterequests': 'PodCertificateRequest',
  'lifecycle.k8s.io/evictionrequests': 'EvictionRequestAPI',
  'lifecycle.k8s.io/evictions': 'EvictionRequestAPI',
  'scheduling.k8s.io/compositepodgroups': 'CompositePodGroup',
  'scheduling.k8s.io/podgroups': 'GenericWorkload',
  'scheduling.k8s.io/workloads': 'GenericWorkload',
  'storagemigration.k8s.io/storageversionmigrations': 'StorageVersionMigrator',
};

/** Rows of what is served only where feature gates are on that are off by default, each with its gate. */
export function gatedResourceTable(
  gated: AllResources,
  byConfig: Discovery,
  sources: { readonly etcd: EtcdPaths; readonly go: GoFacts },
): readonly unknown[] {
  const rows = optionalResourceTable(gated, byConfig, sources) as readonly {
    readonly group: string;
    readonly resource: string;
    readonly version: string;
  }[];
  return rows.map((row) => {
    const name = `${row.group}/${row.resource}`;
    const gate = gates[name];
    if (gate === undefined) throw new Error(`${name} waits for a feature gate that gated-resources.ts does not name`);
    return { ...row, gate };
  });
}
