import type {
  ComponentStatus,
  ConfigMap,
  Endpoints,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  PodTemplate,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from '@kubechain/apimachinery/types/core/v1';
import { betaStorageClassAnnotation, Quantity } from '@kubechain/apimachinery';
import { addressesCell, containerCells, labelsCell, none, unset } from '../table/cells.ts';
import { ageOf, nameOf } from '../table/printer.ts';
import type { Printer } from '../table/printer.ts';

const size = (map: object | undefined): number => (map === undefined ? 0 : Object.keys(map).length);
const quantity = (text: string | undefined): string => (text === undefined ? '0' : Quantity.parse(text).toString());

/** Row of ReplicationController (pkg/printers/internalversion, 1.36). */
export const printReplicationController: Printer<ReplicationController> = (object) => [
  nameOf(object),
  object.spec?.replicas ?? 0,
  object.status?.replicas ?? 0,
  object.status?.readyReplicas ?? 0,
  ageOf(object),
  ...containerCells(object.spec?.template?.spec?.containers),
  labelsCell(object.spec?.selector),
];

/** Row of Service (pkg/printers/internalversion, 1.36). */
export const printService: Printer<Service> = (service) => [
  nameOf(service),
  service.spec?.type ?? '',
  service.spec?.clusterIPs?.[0] ?? none,
  externalIP(service),
  (service.spec?.ports ?? [])
    .map((port) => `${port.port || 0}${(port.nodePort ?? 0) > 0 ? `:${port.nodePort}` : ''}/${port.protocol}`)
    .join(',') || none,
  ageOf(service),
  labelsCell(service.spec?.selector),
];

function externalIP({ spec, status }: Service): string {
  const external = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return external.join(',') || none;
    case 'LoadBalancer':
      return (
        [addressesCell(status?.loadBalancer?.ingress), ...external].filter((text) => text !== '').join(',') ||
        '<pending>'
      );
    case 'ExternalName':
      return spec.externalName ?? '';
    case undefined:
      return '<unknown>';
    default:
      return '<unknown>';
  }
}

/** The first three addresses; the count of those left out is of all, ready ones only. */
export const printEndpoints: Printer<Endpoints> = (endpoints) => {
  const subsets = endpoints.subsets ?? [];
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip }) => ip)
      : ports.flatMap(({ port }) =>
          addresses.map(({ ip }) => `${ip.includes(':') ? `[${ip}]` : ip}:${String(port || 0)}`),
        ),
  );
  const cell =
    subsets.length === 0
      ? none
      : all.length > 3
        ? `${all.slice(0, 3).join(',')} + ${all.length - 3} more...`
        : all.join(',');
  return [nameOf(endpoints), cell, ageOf(endpoints)];
};

/** Row of Node (pkg/printers/internalversion, 1.36). */
export const printNode: Printer<Node> = (node) => {
  const ready = (node.status?.conditions ?? []).findLast((condition) => condition.type === 'Ready');
  const status = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
  const info = node.status?.nodeInfo;
  const address = (type: string): string =>
    node.status?.addresses?.find((candidate) => candidate.type === type)?.address ?? none;
  return [
    nameOf(node),
    node.spec?.unschedulable === true ? `${status},SchedulingDisabled` : status,
    nodeRoles(node).join(',') || none,
    ageOf(node),
    info?.kubeletVersion ?? '',
    address('InternalIP'),
    address('ExternalIP'),
    info?.osImage || '<unknown>',
    `${info?.kernelVersion || '<unknown>'}${info?.architecture ? ` (${info.architecture})` : ''}`,
    info?.containerRuntimeVersion || '<unknown>',
  ];
};

const rolePrefix = 'node-role.kubernetes.io/';

function nodeRoles(node: Node): string[] {
  const roles = new Set<string>();
  for (const [label, value] of Object.entries(node.metadata?.labels ?? {})) {
    if (label.startsWith(rolePrefix)) roles.add(label.slice(rolePrefix.length));
    else if (label === 'kubernetes.io/role') roles.add(value);
  }
  roles.delete('');
  return [...roles].sort();
}

const modeNames = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;
const modes = (list: readonly string[] | undefined): string =>
  modeNames
    .filter(([mode]) => list?.includes(mode) === true)
    .map(([, short]) => short)
    .join(',');

/** Row of PersistentVolume (pkg/printers/internalversion, 1.36). */
export const printPersistentVolume: Printer<PersistentVolume> = (volume) => {
  const { metadata, spec, status } = volume;
  return [
    nameOf(volume),
    quantity(spec?.capacity?.['storage']),
    modes(spec?.accessModes),
    spec?.persistentVolumeReclaimPolicy ?? '',
    metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    spec?.claimRef === undefined ? '' : `${spec.claimRef.namespace ?? ''}/${spec.claimRef.name ?? ''}`,
    metadata?.annotations?.[betaStorageClassAnnotation] ?? spec?.storageClassName ?? '',
    spec?.volumeAttributesClassName ?? unset,
    status?.reason ?? '',
    ageOf(volume),
    spec?.volumeMode ?? unset,
  ];
};

/** Row of PersistentVolumeClaim (pkg/printers/internalversion, 1.36). */
export const printPersistentVolumeClaim: Printer<PersistentVolumeClaim> = (claim) => {
  const { metadata, spec, status } = claim;
  const bound = Boolean(spec?.volumeName);
  return [
    nameOf(claim),
    metadata?.deletionTimestamp ? 'Terminating' : (status?.phase ?? ''),
    spec?.volumeName ?? '',
    bound ? quantity(status?.capacity?.['storage']) : '',
    bound ? modes(status?.accessModes) : '',
    metadata?.annotations?.[betaStorageClassAnnotation] ?? spec?.storageClassName ?? '',
    spec?.volumeAttributesClassName ?? unset,
    ageOf(claim),
    spec?.volumeMode ?? unset,
  ];
};

/** Row of ResourceQuota (pkg/printers/internalversion, 1.36). */
export const printResourceQuota: Printer<ResourceQuota> = (quota) => {
  const { hard = {}, used = {} } = quota.status ?? {};
  const columns: [requests: string[], limits: string[]] = [[], []];
  for (const name of Object.keys(hard).sort())
    columns[name.startsWith('limits.') ? 1 : 0].push(`${name}: ${quantity(used[name])}/${quantity(hard[name])}`);
  return [nameOf(quota), columns[0].join(', '), columns[1].join(', '), ageOf(quota)];
};

/** Row of ComponentStatus (pkg/printers/internalversion, 1.36). */
export const printComponentStatus: Printer<ComponentStatus> = (component) => {
  const healthy = component.conditions?.find((condition) => condition.type === 'Healthy');
  return [
    nameOf(component),
    healthy === undefined ? 'Unknown' : healthy.status === 'True' ? 'Healthy' : 'Unhealthy',
    healthy?.message ?? '',
    healthy?.error ?? '',
  ];
};

/** Row of PodTemplate. */
export const printPodTemplate: Printer<PodTemplate> = (template) => [
  nameOf(template),
  ...containerCells(template.template?.spec?.containers),
  labelsCell(template.template?.metadata?.labels),
];

/** Row of Namespace. */
export const printNamespace: Printer<Namespace> = (namespace) => [
  nameOf(namespace),
  namespace.status?.phase ?? '',
  ageOf(namespace),
];

/** Row of Secret. */
export const printSecret: Printer<Secret> = (secret) => [
  nameOf(secret),
  secret.type ?? '',
  size(secret.data),
  ageOf(secret),
];

/** Row of ConfigMap. */
export const printConfigMap: Printer<ConfigMap> = (map) => [
  nameOf(map),
  size(map.data) + size(map.binaryData),
  ageOf(map),
];

/** Row of ServiceAccount. Until 1.34 it counts secrets, which are no longer made for service accounts. */
export const printServiceAccount: Printer<ServiceAccount> = (account, release) => [
  nameOf(account),
  ...(release.since('1.35') ? [] : [account.secrets?.length ?? 0]),
  ageOf(account),
];
