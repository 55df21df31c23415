import type { PolicyRule } from '../rbac-objects.ts';

/** When something of a feature is among the bootstrap roles. */
interface Gated {
  /** All have to be on. */
  readonly gates: readonly RoleGate[];
  /** The first release that has it so; default: all do. */
  readonly since?: string;
  /** The first release that has it otherwise, or not at all. */
  readonly until?: string;
}

/** Rules at the end of a cluster role that is there anyway. */
export interface GatedRules extends Gated {
  readonly role: string;
  readonly rules: readonly PolicyRule[];
}

/** A cluster role of its own, with the binding of the same name. */
export interface GatedRole extends Gated {
  readonly name: string;
  readonly rules: readonly PolicyRule[];
  /** In kube-system; absent: all service accounts. */
  readonly serviceAccount?: string;
}

/** A path that whoever watches over servers may read: in the rule for all of them. */
export interface GatedPath extends Gated {
  readonly path: string;
}

/** Feature gates that roles depend on; those that are locked in every release are not here. */
export type RoleGate =
  | 'APIServerIdentity'
  | 'CSIVolumeHealth'
  | 'ClusterTrustBundle'
  | 'ComponentFlagz'
  | 'ComponentStatusz'
  | 'CompositePodGroup'
  | 'DRADeviceTaintRules'
  | 'DRADeviceTaints'
  | 'DRAExtendedResource'
  | 'DRAResourceClaimGranularStatusAuthorization'
  | 'DRAResourcePoolStatus'
  | 'DRAWorkloadResourceClaims'
  | 'EvictionRequestAPI'
  | 'GenericWorkload'
  | 'KubeletServiceAccountTokenForCredentialProviders'
  | 'PodCertificateRequest'
  | 'StorageVersionAPI'
  | 'StorageVersionMigrator'
  | 'WorkloadWithJob';

const certificates = 'certificates.k8s.io';
const devices = 'resource.k8s.io';
const lifecycle = 'lifecycle.k8s.io';
const scheduling = 'scheduling.k8s.io';
const read = ['get', 'list', 'watch'];
const change = ['patch', 'update'];
const write = ['create', 'delete', 'deletecollection', 'patch', 'update'];

const rule = (verbs: readonly string[], group: string, ...resources: string[]): PolicyRule => ({
  apiGroups: [group],
  resources,
  verbs,
});
const events: PolicyRule = {
  apiGroups: ['', 'events.k8s.io'],
  resources: ['events'],
  verbs: ['create', 'patch', 'update'],
};

const view = 'system:aggregate-to-view';
const edit = 'system:aggregate-to-edit';
const node = 'system:node';
const scheduler = 'system:kube-scheduler';
const controller = (name: string): string => `system:controller:${name}`;

/** Source: plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go and controller_policy.go, 1.34 to 1.37. */
export const gatedRules: readonly GatedRules[] = [
  {
    gates: ['GenericWorkload'],
    since: '1.36',
    role: view,
    rules: [rule(read, scheduling, 'podgroups', 'podgroups/status', 'workloads')],
  },
  {
    gates: ['CompositePodGroup'],
    since: '1.37',
    role: view,
    rules: [rule(read, scheduling, 'compositepodgroups', 'compositepodgroups/status')],
  },
  {
    gates: ['EvictionRequestAPI'],
    since: '1.37',
    role: view,
    rules: [rule(read, lifecycle, 'evictionrequests', 'evictions')],
  },
  {
    gates: ['GenericWorkload'],
    since: '1.36',
    role: edit,
    rules: [rule(write, scheduling, 'podgroups', 'workloads')],
  },
  {
    gates: ['CompositePodGroup'],
    since: '1.37',
    role: edit,
    rules: [rule(write, scheduling, 'compositepodgroups')],
  },
  // Evictions are the controller's to change.
  { gates: ['EvictionRequestAPI'], since: '1.37', role: edit, rules: [rule(write, lifecycle, 'evictionrequests')] },
  {
    gates: ['CSIVolumeHealth'],
    since: '1.37',
    role: node,
    rules: [rule(['get', ...change], 'storage.k8s.io', 'csinodes/status')],
  },
  { gates: ['ClusterTrustBundle'], role: node, rules: [rule(read, certificates, 'clustertrustbundles')] },
  {
    gates: ['KubeletServiceAccountTokenForCredentialProviders'],
    role: node,
    rules: [rule(['get'], '', 'serviceaccounts')],
  },
  {
    gates: ['PodCertificateRequest'],
    role: node,
    rules: [rule(['create', ...read], certificates, 'podcertificaterequests')],
  },
  {
    gates: ['DRAExtendedResource'],
    role: scheduler,
    rules: [rule(['create', 'delete'], devices, 'resourceclaims')],
  },
  { gates: ['DRADeviceTaints'], until: '1.35', role: scheduler, rules: [rule(read, devices, 'devicetaintrules')] },
  { gates: ['DRADeviceTaintRules'], since: '1.35', role: scheduler, rules: [rule(read, devices, 'devicetaintrules')] },
  {
    gates: ['DRAResourceClaimGranularStatusAuthorization'],
    since: '1.36',
    role: scheduler,
    rules: [rule(change, devices, 'resourceclaims/binding')],
  },
  {
    gates: ['GenericWorkload'],
    since: '1.35',
    until: '1.36',
    role: scheduler,
    rules: [rule(read, scheduling, 'workloads')],
  },
  {
    gates: ['GenericWorkload'],
    since: '1.36',
    role: scheduler,
    rules: [rule(read, scheduling, 'podgroups'), rule(change, scheduling, 'podgroups/status')],
  },
  {
    gates: ['CompositePodGroup'],
    since: '1.37',
    role: scheduler,
    rules: [rule(read, scheduling, 'compositepodgroups'), rule(change, scheduling, 'compositepodgroups/status')],
  },
  {
    gates: ['DRAWorkloadResourceClaims'],
    since: '1.36',
    role: controller('resource-claim-controller'),
    rules: [rule(read, scheduling, 'podgroups'), rule(change, scheduling, 'podgroups/status')],
  },
  {
    gates: ['DRAResourceClaimGranularStatusAuthorization'],
    since: '1.36',
    role: controller('resource-claim-controller'),
    rules: [rule(change, devices, 'resourceclaims/binding')],
  },
  {
    gates: ['DRADeviceTaintRules'],
    since: '1.35',
    role: controller('device-taint-eviction-controller'),
    rules: [rule(change, devices, 'devicetaintrules/status'), rule(read, devices, 'devicetaintrules')],
  },
  {
    gates: ['WorkloadWithJob'],
    since: '1.36',
    until: '1.37',
    role: controller('job-controller'),
    rules: [rule(['create', ...read], scheduling, 'podgroups', 'workloads')],
  },
  {
    gates: ['WorkloadWithJob'],
    since: '1.37',
    role: controller('job-controller'),
    rules: [rule(['create', 'get', 'list', 'patch', 'update', 'watch'], scheduling, 'podgroups', 'workloads')],
  },
  // Before 1.36 each page has a rule of its own.
  ...(['ComponentFlagz', 'ComponentStatusz'] as const).map((gate) => ({
    gates: [gate],
    until: '1.36',
    role: 'system:monitoring',
    rules: [{ nonResourceURLs: [gate === 'ComponentFlagz' ? '/flagz' : '/statusz'], verbs: ['get'] }],
  })),
];

/** Paths in the first rule of system:monitoring. */
export const gatedPaths: readonly GatedPath[] = [
  { gates: ['ComponentFlagz'], since: '1.36', path: '/flagz' },
  { gates: ['ComponentStatusz'], since: '1.36', path: '/statusz' },
];

const taintEviction = {
  gates: ['DRADeviceTaints'] as const,
  name: controller('device-taint-eviction-controller'),
  serviceAccount: 'device-taint-eviction-controller',
};
const evicted = [
  rule(['delete', ...read], '', 'pods'),
  rule(change, '', 'pods/status'),
  rule(read, devices, 'resourceclaims'),
  rule(read, devices, 'resourceslices'),
  rule(read, devices, 'deviceclasses'),
];
const poolStatus = {
  gates: ['DRAResourcePoolStatus'] as const,
  name: controller('resourcepoolstatusrequest-controller'),
  serviceAccount: 'resourcepoolstatusrequest-controller',
};
const pools = [
  rule(['delete', ...read], devices, 'resourcepoolstatusrequests'),
  rule(change, devices, 'resourcepoolstatusrequests/status'),
  rule(read, devices, 'resourceslices'),
  rule(read, devices, 'resourceclaims'),
];
const migrator = {
  gates: ['StorageVersionMigrator'] as const,
  name: controller('storage-version-migrator-controller'),
  serviceAccount: 'storage-version-migrator-controller',
};
const migrations = rule(['update'], 'storagemigration.k8s.io', 'storageversionmigrations/status');
const definitions = [
  rule(['get'], 'apiextensions.k8s.io', 'customresourcedefinitions'),
  rule(['patch'], 'apiextensions.k8s.io', 'customresourcedefinitions/status'),
];

/** Source: as above. */
export const gatedRoles: readonly GatedRole[] = [
  { ...taintEviction, until: '1.35', rules: [...evicted, rule(read, devices, 'devicetaintrules'), events] },
  { ...taintEviction, since: '1.35', rules: [...evicted, events] },
  { ...poolStatus, since: '1.36', until: '1.37', rules: [...pools, events] },
  { ...poolStatus, since: '1.37', rules: [...pools, rule(read, devices, 'devicetaintrules'), events] },
  {
    gates: ['PodCertificateRequest'],
    name: controller('podcertificaterequestcleaner'),
    serviceAccount: 'podcertificaterequestcleaner',
    rules: [rule(['delete', ...read], certificates, 'podcertificaterequests')],
  },
  {
    gates: ['GenericWorkload'],
    since: '1.36',
    name: controller('podgroup-protection-controller'),
    serviceAccount: 'podgroup-protection-controller',
    rules: [rule(['get', 'list', 'update', 'watch'], scheduling, 'podgroups'), rule(read, '', 'pods')],
  },
  {
    gates: ['ClusterTrustBundle'],
    name: controller('kube-apiserver-serving-clustertrustbundle-publisher'),
    serviceAccount: 'kube-apiserver-serving-clustertrustbundle-publisher',
    rules: [
      {
        apiGroups: [certificates],
        resourceNames: ['kubernetes.io/kube-apiserver-serving'],
        resources: ['signers'],
        verbs: ['attest'],
      },
      rule(['create', 'delete', 'list', 'update', 'watch'], certificates, 'clustertrustbundles'),
      events,
    ],
  },
  {
    gates: ['ClusterTrustBundle'],
    name: 'system:cluster-trust-bundle-discovery',
    rules: [rule(read, certificates, 'clustertrustbundles')],
  },
  {
    gates: ['APIServerIdentity', 'StorageVersionAPI'],
    name: controller('storage-version-garbage-collector'),
    serviceAccount: 'storage-version-garbage-collector',
    rules: [
      rule(read, 'coordination.k8s.io', 'leases'),
      rule(['delete', 'get', 'list', 'patch', 'update', 'watch'], 'internal.apiserver.k8s.io', 'storageversions'),
      rule(['get', ...change], 'internal.apiserver.k8s.io', 'storageversions/status'),
    ],
  },
  { ...migrator, until: '1.35', rules: [rule(['create', 'list', 'patch', 'watch'], '*', '*'), migrations] },
  { ...migrator, since: '1.35', until: '1.36', rules: [rule(['create', 'list', 'patch'], '*', '*'), migrations] },
  {
    ...migrator,
    since: '1.36',
    until: '1.37',
    rules: [rule(['create', 'list', 'patch'], '*', '*'), ...definitions, migrations],
  },
  { ...migrator, since: '1.37', rules: [rule(['list', 'patch'], '*', '*'), ...definitions, migrations] },
];
