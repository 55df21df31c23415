import type { DaemonSet } from '@kubechain/apimachinery/types/apps/v1';
import type { Affinity, Node, Pod, PodSpec, PodTemplateSpec, Toleration } from '@kubechain/apimachinery/types/core/v1';
import { revisionLabel } from '../history/controller-revisions.ts';
import { allowsNode, untolerated } from '../placement/node-selection.ts';

const generationAnnotation = 'deprecated.daemonset.template.generation';
const generationLabel = 'pod-template-generation';

const taints: readonly (readonly [key: string, effect: NonNullable<Toleration['effect']>])[] = [
  ['node.kubernetes.io/not-ready', 'NoExecute'],
  ['node.kubernetes.io/unreachable', 'NoExecute'],
  ['node.kubernetes.io/disk-pressure', 'NoSchedule'],
  ['node.kubernetes.io/memory-pressure', 'NoSchedule'],
  ['node.kubernetes.io/pid-pressure', 'NoSchedule'],
  ['node.kubernetes.io/unschedulable', 'NoSchedule'],
];

/** What a daemon set wants of a node. */
export interface Wish {
  /** A pod is to be there. */
  readonly run: boolean;
  /** One that is there may stay. */
  readonly stay: boolean;
}

/** Whether a node is to have, or may keep, a set's pod (daemon NodeShouldRunDaemonPod, 1.36). */
export function wishFor({ spec }: DaemonSet, node: Node): Wish {
  const template = spec?.template.spec;
  const named = template?.nodeName ?? '';
  const pod = { spec: withTolerations(template ?? { containers: [] }) } as Pod;
  if ((named !== '' && named !== node.metadata?.name) || !allowsNode(pod, node)) return { run: false, stay: false };
  return {
    run: untolerated(pod, node, ['NoExecute', 'NoSchedule']) === undefined,
    stay: untolerated(pod, node, ['NoExecute']) === undefined,
  };
}

/** The template of a set's pod for a node: with its tolerations, labels, and bound to that node by affinity. */
export function podTemplate(set: DaemonSet, node: string, hash: string): PodTemplateSpec {
  const { metadata = {}, spec = { containers: [] } } = set.spec?.template ?? {};
  const generation = generationOf(set);
  return {
    metadata: {
      ...metadata,
      labels: {
        ...metadata.labels,
        ...(generation === undefined ? {} : { [generationLabel]: generation }),
        [revisionLabel]: hash,
      },
    },
    spec: { ...withTolerations(spec), affinity: onlyOn(spec.affinity, node) },
  };
}

/** Whether a pod is of the set's template as it is now (IsPodUpdated). */
export function isUpdated(set: DaemonSet, { metadata }: Pod, hash: string): boolean {
  const generation = generationOf(set);
  return (
    metadata?.labels?.[revisionLabel] === hash ||
    (generation !== undefined && metadata?.labels?.[generationLabel] === generation)
  );
}

/** The node that a pod is on, or is bound to; undefined where it is bound to none. */
export function targetNode({ spec }: Pod): string | undefined {
  if (spec?.nodeName !== undefined && spec.nodeName !== '') return spec.nodeName;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  for (const { matchFields } of required?.nodeSelectorTerms ?? [])
    for (const { key, operator, values } of matchFields ?? [])
      if (key === 'metadata.name' && operator === 'In' && values?.length === 1) return values[0];
  return undefined;
}

function generationOf({ metadata }: DaemonSet): string | undefined {
  const text = metadata?.annotations?.[generationAnnotation] ?? '';
  return /^[+-]?\d+$/.test(text) ? String(Number(text)) : undefined;
}

function withTolerations(spec: PodSpec): PodSpec {
  const tolerations = [...(spec.tolerations ?? [])];
  const all =
    spec.hostNetwork === true ? [...taints, ['node.kubernetes.io/network-unavailable', 'NoSchedule'] as const] : taints;
  for (const [key, effect] of all) {
    const wanted: Toleration = { key, operator: 'Exists', effect };
    const known = tolerations.findIndex(
      (one) => one.key === key && one.effect === effect && one.operator === 'Exists' && (one.value ?? '') === '',
    );
    if (known === -1) tolerations.push(wanted);
    else tolerations[known] = wanted;
  }
  return { ...spec, tolerations };
}

/**
 * Takes the place of whatever nodes the template asks for: the set has looked at those
 * (ReplaceDaemonSetPodNodeNameNodeAffinity).
 */
function onlyOn(affinity: Affinity | undefined, node: string): Affinity {
  return {
    ...affinity,
    nodeAffinity: {
      ...affinity?.nodeAffinity,
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
      },
    },
  };
}
