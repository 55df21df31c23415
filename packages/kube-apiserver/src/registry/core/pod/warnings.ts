import {
  appArmorContainerAnnotationPrefix,
  FieldPath,
  goQuote,
  ipWarnings,
  isDNS1123Label,
  Quantity,
  repeats,
  seccompContainerAnnotationPrefix,
  seccompPodAnnotation,
} from '@kubechain/apimachinery';
import type { ObjectMeta } from '@kubechain/apimachinery';
import type {
  Container,
  EphemeralContainer,
  Pod,
  PodAffinityTerm,
  PodSpec,
  PodTemplateSpec,
  Volume,
  WeightedPodAffinityTerm,
} from '@kubechain/apimachinery/types/core/v1';
import { semanticEqual } from '../../semantic-equal.ts';
import { nodeLabelMessage, nodeSelectorTermWarnings } from '../node-label-warnings.ts';
import { appArmorMessage } from './app-armor.ts';
import { appArmorProfileOf } from './validation/app-armor-annotations.ts';
import { allContainers } from './validation/container.ts';
import { overlappingPathWarnings } from './overlapping-paths.ts';
import { SeenPorts } from './seen-ports.ts';
import { claimSpecWarnings } from '../persistentvolumeclaim/warnings.ts';

const nullSelector = 'a null labelSelector results in matching no pod';

const oldAnnotations: readonly (readonly [key: string, message: string])[] = [
  ['scheduler.alpha.kubernetes.io/critical-pod', 'non-functional in v1.16+; use the "priorityClassName" field instead'],
  ['security.alpha.kubernetes.io/sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
  ['security.alpha.kubernetes.io/unsafe-sysctls', 'non-functional in v1.11+; use the "sysctls" field instead'],
];
/**
 * Volumes whose plugins are gone, in the order of the reference's answers; it spells one of them otherwise than the
 * field.
 */
const oldVolumes: readonly (readonly [field: keyof Volume, spelled: string, message: string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'storageOS', 'deprecated in v1.22, non-functional in v1.25+'],
  ['quobyte', 'quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
  ['cephfs', 'cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];
const seccompMessage = 'non-functional in v1.27+; use the "seccompProfile" field instead';

/** What a new pod may not have meant (WarningsOnCreate of pkg/registry/core/pod/strategy.go, 1.36). */
export function newPodWarnings(pod: Pod, path: FieldPath): string[] {
  const messages = isDNS1123Label(pod.metadata?.name ?? '');
  const name =
    messages.length === 0
      ? []
      : [
          `metadata.name: this is used in the Pod's hostname, which can result in surprising behavior; a DNS ` +
            `label is recommended: [${messages.join(' ')}]`,
        ];
  return [...name, ...podWarnings(pod.spec, path, pod.metadata)];
}

/**
 * What is allowed in a pod and yet probably not meant: fields that do nothing any more, selectors that match nothing,
 * things that are
 * defined twice (warningsForPodSpecAndMeta of pkg/api/pod/warnings.go, 1.36).
 * @param path that of the pod's or template's own fields, above `spec`
 */
export function podWarnings(spec: PodSpec | undefined, path: FieldPath, metadata: ObjectMeta = {}): string[] {
  if (spec === undefined) return [];
  const specPath = path.child('spec');
  const containers = allContainers(spec, specPath);
  return [
    ...nodeLabelWarnings(spec, specPath),
    ...spreadWarnings(spec, specPath),
    ...annotationWarnings(metadata, path),
    ...volumeWarnings(spec.volumes ?? [], specPath.child('volumes')),
    ...overlappingPathWarnings(spec.volumes ?? []),
    ...repeated(
      (spec.hostAliases ?? []).map(({ ip }: { ip?: string }) => ip ?? ''),
      (i, ip) => `${specPath.child('hostAliases').index(i).child('ip').toString()}: duplicate ip ${goQuote(ip)}`,
    ),
    ...pullSecretWarnings(spec, specPath.child('imagePullSecrets')),
    ...fractions(spec.overhead, specPath.child('overhead')),
    ...(spec.securityContext?.seccompProfile === undefined && metadata.annotations?.[seccompPodAnnotation] !== undefined
      ? [`${path.child('metadata', 'annotations').key(seccompPodAnnotation).toString()}: ${seccompMessage}`]
      : []),
    ...containers.flatMap(([container, at]) => containerWarnings(container, at, { metadata, path, spec })),
    ...repeatedPorts(containers),
    ...repeatedPortNames(containers),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [
          `${specPath.child('terminationGracePeriodSeconds').toString()}: must be >= 0; negative values are ` +
            'invalid and will be treated as 1',
        ]
      : []),
    ...affinityWarnings(spec, specPath.child('affinity')),
    ...(spec.dnsConfig?.nameservers ?? []).flatMap((ip, i) =>
      ipWarnings(specPath.child('dnsConfig', 'nameservers').index(i), ip),
    ),
    ...(spec.hostAliases ?? []).flatMap(({ ip = '' }: { ip?: string }, i) =>
      ipWarnings(specPath.child('hostAliases').index(i).child('ip'), ip),
    ),
  ];
}

/** The same for a template in a workload. */
export function templateWarnings(template: PodTemplateSpec | undefined, path: FieldPath): string[] {
  return podWarnings(template?.spec, path, template?.metadata as ObjectMeta | undefined);
}

/** A workload's name that makes a poor hostname of its pods. */
export function podNameWarnings(name = ''): string[] {
  const messages = isDNS1123Label(name);
  return messages.length === 0
    ? []
    : [
        'metadata.name: this is used in Pod names and hostnames, which can result in surprising behavior; a ' +
          `DNS label is recommended: [${messages.join(' ')}]`,
      ];
}

function nodeLabelWarnings({ affinity, nodeSelector = {} }: PodSpec, path: FieldPath): string[] {
  const terms = path.child('affinity', 'nodeAffinity');
  const {
    preferredDuringSchedulingIgnoredDuringExecution: preferred = [],
    requiredDuringSchedulingIgnoredDuringExecution: required,
  } = affinity?.nodeAffinity ?? {};
  return [
    ...Object.keys(nodeSelector).flatMap((label) => {
      const message = nodeLabelMessage(label);
      return message === undefined ? [] : [`${path.child('nodeSelector').key(label).toString()}: ${message}`];
    }),
    ...(required?.nodeSelectorTerms ?? []).flatMap((term, i) =>
      nodeSelectorTermWarnings(
        term,
        terms.child('requiredDuringSchedulingIgnoredDuringExecution', 'nodeSelectorTerms').index(i),
        false,
      ),
    ),
    ...preferred.flatMap(({ preference }, i) =>
      nodeSelectorTermWarnings(
        preference,
        terms.child('preferredDuringSchedulingIgnoredDuringExecution').index(i).child('preference'),
        true,
      ),
    ),
  ];
}

function spreadWarnings({ topologySpreadConstraints = [] }: PodSpec, path: FieldPath): string[] {
  return topologySpreadConstraints.flatMap(({ labelSelector, topologyKey }, i) => {
    const at = path.child('topologySpreadConstraints').index(i);
    const message = nodeLabelMessage(topologyKey);
    return [
      ...(message === undefined ? [] : [`${at.child('topologyKey').toString()}: ${topologyKey} is ${message}`]),
      ...(labelSelector === undefined ? [`${at.child('labelSelector').toString()}: ${nullSelector}`] : []),
    ];
  });
}

function annotationWarnings({ annotations = {} }: ObjectMeta, path: FieldPath): string[] {
  return oldAnnotations
    .filter(([key]) => key in annotations)
    .map(([key, message]) => `${path.child('metadata', 'annotations').key(key).toString()}: ${message}`);
}

function volumeWarnings(volumes: readonly Volume[], path: FieldPath): string[] {
  return volumes.flatMap((volume, i) => [
    ...oldVolumes
      .filter(([field]) => volume[field] !== undefined)
      .map(([, spelled, message]) => `${path.index(i).child(spelled).toString()}: ${message}`),
    ...claimSpecWarnings(
      volume.ephemeral?.volumeClaimTemplate?.spec,
      path.index(i).child('ephemeral', 'volumeClaimTemplate', 'spec'),
    ),
  ]);
}

/** What stands in a list for the second time. */
function repeated(items: readonly string[], print: (i: number, item: string) => string): string[] {
  const again = repeats(items);
  return items.flatMap((item, i) => (again[i] === true ? [print(i, item)] : []));
}

function pullSecretWarnings({ imagePullSecrets = [] }: PodSpec, path: FieldPath): string[] {
  const names = imagePullSecrets.map(({ name = '' }) => name);
  const at = (i: number): string => path.index(i).child('name').toString();
  return [
    ...repeated(names, (i, name) => `${at(i)}: duplicate name ${goQuote(name)}`),
    ...names.flatMap((name, i) => (name === '' ? [`${at(i)}: invalid empty name ""`] : [])),
  ];
}

/** Bytes come whole. */
function fractions(list: Readonly<Record<string, string>> | undefined, path: FieldPath): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) => {
    const text = list?.[name];
    return text !== undefined && Quantity.parse(text).milliValue() % 1000n !== 0n
      ? [`${path.key(name).toString()}: fractional byte value ${goQuote(text)} is invalid, must be an integer`]
      : [];
  });
}

/** What of a pod or template matters to warnings of its containers. `path` is above `metadata` and `spec`. */
interface PodSurroundings {
  readonly metadata: ObjectMeta;
  readonly path: FieldPath;
  readonly spec: PodSpec;
}

function containerWarnings(container: Container | EphemeralContainer, path: FieldPath, pod: PodSurroundings): string[] {
  const { resources } = container;
  const annotation = `${seccompContainerAnnotationPrefix}${container.name}`;
  const [memory, storage] = ['memory', 'ephemeral-storage'].map((name) =>
    (['limits', 'requests'] as const).flatMap((kind) => {
      const text = resources?.[kind]?.[name];
      return text === undefined ? [] : fractions({ [name]: text }, path.child('resources', kind));
    }),
  );
  return [
    ...(container.securityContext?.seccompProfile === undefined && pod.metadata.annotations?.[annotation] !== undefined
      ? [`${pod.path.child('metadata', 'annotations').key(annotation).toString()}: ${seccompMessage}`]
      : []),
    ...appArmorWarnings(container, pod),
    ...(memory ?? []),
    ...(storage ?? []),
    ...repeatedVariables(container, path.child('env')),
  ];
}

/** Templates only: what pods are told of their annotations is told when they are created. */
function appArmorWarnings(
  { name, securityContext }: Container | EphemeralContainer,
  { metadata, path, spec }: PodSurroundings,
): string[] {
  if (path === FieldPath.root || securityContext?.appArmorProfile !== undefined) return [];
  const key = `${appArmorContainerAnnotationPrefix}${name}`;
  const annotation = metadata.annotations?.[key];
  const ofPod = spec.securityContext?.appArmorProfile;
  if (annotation === undefined || (ofPod !== undefined && semanticEqual(ofPod, appArmorProfileOf(annotation))))
    return [];
  return [`${path.child('metadata', 'annotations').key(key).toString()}: ${appArmorMessage}`];
}

/** Far more than an answer tells (4,096 characters). */
const mostWarnings = 5_000;

/** A variable may be defined again in terms of itself, though not otherwise: patches keep one of them. */
function repeatedVariables(container: Pick<Container, 'env'>, path: FieldPath): string[] {
  const names = new Set<string>();
  return (container.env ?? []).flatMap((variable, i) => {
    const { name, value = '' } = variable;
    const own = `$(${name})`;
    const hides = names.has(name) && (variable.valueFrom !== undefined || value === own || !value.includes(own));
    names.add(name);
    return hides
      ? [
          `${path.index(i).toString()}: hides previous definition of ${goQuote(name)}, which may be dropped ` +
            'when using apply',
        ]
      : [];
  });
}

function repeatedPorts(containers: readonly (readonly [Pick<Container, 'ports'>, FieldPath])[]): string[] {
  const warnings: string[] = [];
  const seen = new Map<string, SeenPorts>();
  for (const [container, path] of containers) {
    for (const [i, port] of (container.ports ?? []).entries()) {
      const at = path.child('ports').index(i).toString();
      const { containerPort, hostIP = '', hostPort = 0, name = '', protocol = '' } = port;
      if (hostIP !== '' && hostPort === 0)
        warnings.push(
          `${at}: hostIP set without hostPort: {Name:${name} HostPort:0 ContainerPort:${containerPort} ` +
            `Protocol:${protocol} HostIP:${hostIP}}`,
        );
      const key = `${containerPort}/${protocol}`;
      const others = seen.get(key) ?? new SeenPorts();
      seen.set(key, others);
      for (const other of others.meeting(hostIP, hostPort)) {
        if (hostIP === other.hostIP && hostPort === other.hostPort)
          warnings.push(`${at}: duplicate port definition with ${other.at}`);
        else if (hostPort === 0 || other.hostPort === 0)
          warnings.push(`${at}: overlapping port definition with ${other.at}`);
        else warnings.push(`${at}: dangerously ambiguous port definition with ${other.at}`);
        // Each of many equal ports meets all before it.
        if (warnings.length >= mostWarnings) return warnings;
      }
      others.add({ at, hostIP, hostPort });
    }
  }
  return warnings;
}

function repeatedPortNames(containers: readonly (readonly [Pick<Container, 'ports'>, FieldPath])[]): string[] {
  const first = new Map<string, string>();
  return containers.flatMap(([container, path]) =>
    (container.ports ?? []).flatMap(({ name = '' }, i) => {
      const at = path.child('ports').index(i).toString();
      if (name === '') return [];
      const other = first.get(name);
      if (other === undefined) first.set(name, at);
      return other === undefined
        ? []
        : [
            `${at}: duplicate port name ${goQuote(name)} with ${other}, services and probes that select ports ` +
              `by name will use ${other}`,
          ];
    }),
  );
}

function affinityWarnings({ affinity }: PodSpec, path: FieldPath): string[] {
  return (['podAffinity', 'podAntiAffinity'] as const).flatMap((kind) => [
    ...requiredTerms(
      affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution,
      path.child(kind, 'requiredDuringSchedulingIgnoredDuringExecution'),
    ),
    ...preferredTerms(
      affinity?.[kind]?.preferredDuringSchedulingIgnoredDuringExecution,
      path.child(kind, 'preferredDuringSchedulingIgnoredDuringExecution'),
    ),
  ]);
}

function requiredTerms(terms: readonly PodAffinityTerm[] | undefined, path: FieldPath): string[] {
  return (terms ?? []).flatMap((term, i) =>
    term.labelSelector === undefined ? [`${path.index(i).child('labelSelector').toString()}: ${nullSelector}`] : [],
  );
}

function preferredTerms(terms: readonly WeightedPodAffinityTerm[] | undefined, path: FieldPath): string[] {
  return (terms ?? []).flatMap(({ podAffinityTerm }, i) =>
    podAffinityTerm?.labelSelector === undefined
      ? [`${path.index(i).child('podAffinityTerm', 'labelSelector').toString()}: ${nullSelector}`]
      : [],
  );
}
