import type { Node, PersistentVolume, PersistentVolumeClaim, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { StorageClass } from '@kubechain/apimachinery/types/storage/v1';
import { claimsOf, classOfClaim, foreignClaimProblem, isReachable, waitsForConsumer } from '../volume/claim-facts.ts';
import { findVolume } from '../volume/find-volume.ts';
import { noProvisioner, volumeAnnotations } from '../volume/volume-annotations.ts';
import type { NodeInfo } from './node-info.ts';
import { exceedsVolumeLimits, type LimitsView } from './volume-limits.ts';

/** Looks up what a pod's volumes are. */
export interface VolumeView extends LimitsView {
  /** Those that a claim may be bound to. */
  readonly volumesFor: (claim: PersistentVolumeClaim) => readonly PersistentVolume[];
  /** Names of volumes that other pods are about to get. */
  readonly taken: ReadonlySet<string>;
  /** Whether another pod uses the claim. */
  isUsedByOther(key: string, pod: Pod): boolean;
}

/** What must be done before a pod can be bound to a node. */
export interface VolumePlan {
  readonly bindings: readonly { readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume }[];
  readonly provisions: readonly PersistentVolumeClaim[];
}

const reasons = {
  unbound: 'pod has unbound immediate PersistentVolumeClaims',
  node: "node(s) didn't match PersistentVolume's node affinity",
  nothingToBind: "node(s) didn't find available persistent volumes to bind",
  noVolume: 'node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)',
  zone: 'node(s) had no available volume zone',
  limit: 'node(s) exceed max volume count',
  once:
    'node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by ' +
    'another pod',
} as const;

const zoneLabels = [
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
] as const;

/**
 * What a pod's claims say about nodes: the plugins VolumeRestrictions (claims for one pod only), NodeVolumeLimits,
 * VolumeBinding and VolumeZone of the reference (1.36). What is the same for all nodes is found once.
 */
export class PodVolumes {
  /** Why no node does at all. */
  readonly problem: string | undefined;
  /** Another pod has a claim that only one may have: it helps if that one goes. */
  readonly waitsForOther: boolean;
  readonly #pod: Pod;
  readonly #view: VolumeView;
  readonly #bound: PersistentVolumeClaim[] = [];
  readonly #waiting: PersistentVolumeClaim[] = [];

  constructor(pod: Pod, view: VolumeView) {
    this.#pod = pod;
    this.#view = view;
    let immediate = false;
    this.waitsForOther = false;
    for (const used of claimsOf(pod)) {
      const claim = view.claim(`${pod.metadata?.namespace ?? ''}/${used.name}`);
      this.problem ??= problemOf(pod, used, claim);
      if (claim === undefined) continue;
      if (isBound(claim)) this.#bound.push(claim);
      else if (waitsForConsumer(claim, view.classOf) && (claim.spec?.volumeName ?? '') === '')
        this.#waiting.push(claim);
      else immediate = true;
      const once = claim.spec?.accessModes?.includes('ReadWriteOncePod') === true;
      if (once && view.isUsedByOther(`${pod.metadata?.namespace ?? ''}/${used.name}`, pod)) this.waitsForOther = true;
    }
    if (immediate) this.problem ??= reasons.unbound;
  }

  /** Why a node does not do now, and may when other pods have gone from it. */
  crowding(info: NodeInfo): string | undefined {
    if (this.waitsForOther) return reasons.once;
    return exceedsVolumeLimits(this.#pod, info, this.#view) ? reasons.limit : undefined;
  }

  /** The plan for a node, or why the node does not do. */
  planFor(node: Node): VolumePlan | readonly string[] {
    if (this.#bound.length === 0 && this.#waiting.length === 0) return { bindings: [], provisions: [] };
    const problems = new Set<string>();
    for (const claim of this.#bound) {
      const volume = this.#view.volume(claim.spec?.volumeName ?? '');
      if (volume === undefined) problems.add(reasons.noVolume);
      else if (!isReachable(volume, node)) problems.add(reasons.node);
      else if (!isInZone(volume, node)) problems.add(reasons.zone);
    }
    if (problems.size > 0) return [...problems];
    const taken = new Set(this.#view.taken);
    const bindings: { readonly claim: PersistentVolumeClaim; readonly volume: PersistentVolume }[] = [];
    const provisions: PersistentVolumeClaim[] = [];
    for (const claim of this.#waiting) {
      const selected = claim.metadata?.annotations?.[volumeAnnotations.selectedNode];
      if (selected !== undefined && selected !== node.metadata?.name) return [reasons.nothingToBind];
      const volume =
        selected === undefined ? findVolume(claim, this.#view.volumesFor(claim), { node, excluded: taken }) : undefined;
      if (volume !== undefined) {
        taken.add(volume.metadata?.name ?? '');
        bindings.push({ claim, volume });
      } else if (canProvision(this.#view.classOf(classOfClaim(claim)), node)) provisions.push(claim);
      else return [reasons.nothingToBind];
    }
    return { bindings, provisions };
  }
}

/** Whether a plan says why there is none. */
export function isRefusal(plan: VolumePlan | readonly string[]): plan is readonly string[] {
  return Array.isArray(plan);
}

/** Whether the binder has brought a claim's binding to its end. */
export function isBound({ metadata, spec }: PersistentVolumeClaim): boolean {
  return (spec?.volumeName ?? '') !== '' && metadata?.annotations?.[volumeAnnotations.bindCompleted] !== undefined;
}

function problemOf(
  pod: Pod,
  { ephemeral, name }: { readonly name: string; readonly ephemeral: boolean },
  claim: PersistentVolumeClaim | undefined,
): string | undefined {
  if (claim === undefined)
    return ephemeral
      ? `waiting for ephemeral volume controller to create the persistentvolumeclaim "${name}"`
      : `persistentvolumeclaim "${name}" not found`;
  if (claim.status?.phase === 'Lost')
    return `persistentvolumeclaim "${name}" bound to non-existent persistentvolume "${claim.spec?.volumeName ?? ''}"`;
  if (claim.metadata?.deletionTimestamp !== undefined) return `persistentvolumeclaim "${name}" is being deleted`;
  return ephemeral ? foreignClaimProblem(claim, pod) : undefined;
}

function canProvision(kind: StorageClass | undefined, node: Node): boolean {
  const provisioner = kind?.provisioner ?? '';
  if (kind === undefined || provisioner === '' || provisioner === noProvisioner) return false;
  const topologies = kind.allowedTopologies ?? [];
  const labels = node.metadata?.labels ?? {};
  return (
    topologies.length === 0 ||
    topologies.some(({ matchLabelExpressions = [] }) =>
      matchLabelExpressions.every(({ key, values }) => values.includes(labels[key] ?? '')),
    )
  );
}

/** Labels of volumes name zones, several with two underscores between them. */
function isInZone({ metadata }: PersistentVolume, node: Node): boolean {
  return zoneLabels.every((label) => {
    const zones = metadata?.labels?.[label];
    if (zones === undefined) return true;
    const own = node.metadata?.labels?.[label];
    return own !== undefined && zones.split('__').includes(own);
  });
}
