import { optionalResourceTable } from './optional-resources.ts';
import type { AllResources } from './optional-resources.ts';
import type { GoFacts } from './facts.ts';
import type { Discovery, EtcdPaths } from './resources.ts';

/** Feature gates of resources, by `group/resource` (pkg/registry/GROUP/rest, which no server tells). */
const gates: Readonly<Record<string, string>> = {
  'certificates.k8s.io/clustertrustbundles': 'ClusterTrustBundle',
  'scheduling.k8s.io/compositepodgroups': 'CompositePodGroup',
  'scheduling.k8s.io/podgroups': 'GenericWorkload',
  'scheduling.k8s.io/workloads': 'GenericWorkload',
  'storagemigration.k8s.io/storageversionmigrations': 'StorageVersionMigrator',
};

/** Versions whose rules are not known here, by `group/version/resource`. */
const unserved: ReadonlySet<string> = new Set([
  'certificates.k8s.io/v1alpha1/podcertificaterequests',
  'certificates.k8s.io/v1beta1/podcertificaterequests',
  'lifecycle.k8s.io/v1alpha1/evictionrequests',
  'lifecycle.k8s.io/v1alpha1/evictions',
  'scheduling.k8s.io/v1alpha1/workloads',
  'storagemigration.k8s.io/v1alpha1/storageversionmigrations',
]);

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
  const served = rows.filter(({ group, resource, version }) => !unserved.has(`${group}/${version}/${resource}`));
  return served.map((row) => {
    const name = `${row.group}/${row.resource}`;
    const gate = gates[name];
    if (gate === undefined) throw new Error(`${name} waits for a feature gate that gated-resources.ts does not name`);
    return { ...row, gate };
  });
}
