import type { StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import type { PersistentVolumeClaim, Pod, PodTemplateSpec, Volume } from '@kubechain/apimachinery/types/core/v1';
import { resources } from '../client/resources.ts';
import { controllerRef } from '../controller/controller-ref.ts';
import { revisionLabel } from '../history/controller-revisions.ts';
import { podOf } from '../pods/pod-control.ts';

const podNameLabel = 'statefulset.kubernetes.io/pod-name';
const podIndexLabel = 'apps.kubernetes.io/pod-index';

/** The name that stands before a pod's ordinal, and the ordinal; undefined for other names. */
export function parsePodName(name: string): { readonly parent: string; readonly ordinal: number } | undefined {
  const dash = name.lastIndexOf('-');
  const digits = name.slice(dash + 1);
  if (dash === -1 || !/^\d+$/.test(digits)) return undefined;
  const ordinal = Number(digits);
  return ordinal > 2 ** 31 - 1 ? undefined : { parent: name.slice(0, dash), ordinal };
}

/** -1 for a pod of another name. */
export function ordinalOf({ metadata }: Pod): number {
  return parsePodName(metadata?.name ?? '')?.ordinal ?? -1;
}

export function isMember(set: StatefulSet, { metadata }: Pod): boolean {
  return parsePodName(metadata?.name ?? '')?.parent === set.metadata?.name;
}

export function firstOrdinal({ spec }: StatefulSet): number {
  return spec?.ordinals?.start ?? 0;
}

/** Whether a set is to have a pod of that ordinal. */
export function isInRange(set: StatefulSet, ordinal: number): boolean {
  const first = firstOrdinal(set);
  return ordinal >= first && ordinal < first + (set.spec?.replicas ?? 1);
}

function claimName(set: StatefulSet, template: PersistentVolumeClaim, ordinal: number): string {
  return `${template.metadata?.name ?? ''}-${set.metadata?.name ?? ''}-${ordinal}`;
}

/** The claims that a pod of that ordinal mounts, in their templates' order. */
export function claimsOf(set: StatefulSet, ordinal: number): readonly PersistentVolumeClaim[] {
  return (set.spec?.volumeClaimTemplates ?? []).map((template) => ({
    ...template,
    metadata: {
      ...template.metadata,
      name: claimName(set, template, ordinal),
      namespace: set.metadata?.namespace ?? '',
      labels: { ...template.metadata?.labels, ...set.spec?.selector.matchLabels },
    },
  }));
}

/** The pod's own volumes, but for those that a claim of the set takes the place of. */
function withClaims(set: StatefulSet, ordinal: number, volumes: readonly Volume[] = []): Volume[] {
  const templates = set.spec?.volumeClaimTemplates ?? [];
  const claimed = templates.map((template) => ({
    name: template.metadata?.name ?? '',
    persistentVolumeClaim: { claimName: claimName(set, template, ordinal) },
  }));
  const names = new Set(claimed.map(({ name }) => name));
  return [...claimed, ...volumes.filter(({ name }) => !names.has(name))];
}

/** Whether a pod has its set's name, label and claims. */
export function hasIdentity(set: StatefulSet, { metadata, spec }: Pod): boolean {
  const ordinal = ordinalOf({ metadata: metadata ?? {} } as Pod);
  if (ordinal < 0 || metadata?.labels?.[podNameLabel] !== metadata?.name) return false;
  return (set.spec?.volumeClaimTemplates ?? []).every((template) =>
    spec?.volumes?.some(
      ({ name, persistentVolumeClaim }) =>
        name === template.metadata?.name && persistentVolumeClaim?.claimName === claimName(set, template, ordinal),
    ),
  );
}

/** A pod with its identity and claims put right. */
export function withIdentity(set: StatefulSet, pod: Pod): Pod {
  const ordinal = ordinalOf(pod);
  return {
    ...pod,
    metadata: { ...pod.metadata, labels: { ...pod.metadata?.labels, ...identityLabels(set, ordinal) } },
    ...(pod.spec === undefined ? {} : { spec: { ...pod.spec, volumes: withClaims(set, ordinal, pod.spec.volumes) } }),
  };
}

/** The pod of an ordinal, by a template of a revision, as it is to be made (newVersionedStatefulSetPod, 1.36). */
export function newPod(
  set: StatefulSet,
  ordinal: number,
  { revision, template }: { readonly revision: string; readonly template: PodTemplateSpec },
): Pod {
  const name = `${set.metadata?.name ?? ''}-${ordinal}`;
  const type = resources.statefulsets;
  const pod = podOf({ object: set, type }, template, { name, ownerReference: controllerRef(set, type) });
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      // As the reference, though the name is given.
      generateName: `${set.metadata?.name ?? ''}-`,
      labels: { ...pod.metadata?.labels, ...identityLabels(set, ordinal), [revisionLabel]: revision },
    },
    ...(pod.spec === undefined
      ? {}
      : {
          spec: {
            ...pod.spec,
            hostname: name,
            ...(set.spec?.serviceName === undefined ? {} : { subdomain: set.spec.serviceName }),
            volumes: withClaims(set, ordinal, pod.spec.volumes),
          },
        }),
  };
}

function identityLabels({ metadata }: StatefulSet, ordinal: number): Record<string, string> {
  return { [podNameLabel]: `${metadata?.name ?? ''}-${ordinal}`, [podIndexLabel]: String(ordinal) };
}
