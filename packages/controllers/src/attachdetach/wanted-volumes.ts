import type { Node, PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '@kubechain/apimachinery/types/core/v1';
import type { CSIDriver } from '@kubechain/apimachinery/types/storage/v1';
import { resources } from '../client/resources.ts';
import type { InformerFactory } from '../informers/informer-factory.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { isPodEnded } from '../pods/pod-state.ts';
import { addNodeIndex, podsOnNode } from '../pods/pods-on-node.ts';
import { claimKeysOf, foreignClaimProblem } from '../volume/claim-facts.ts';
import { attachableInlineVolume, attachablePersistentVolume, type AttachableVolume } from './attachable-volume.ts';

const podsByClaim = 'claims of pods for attaching';

/** Nodes whose volumes are attached for them, as kubelets mark themselves. */
export const managedAttachAnnotation = 'volumes.kubernetes.io/controller-managed-attach-detach';

interface Wanted {
  readonly volume: AttachableVolume;
  readonly pod: Pod;
}

/**
 * Which volumes have to be attached to which nodes, for the sake of which pods: followed by informers, as the
 * reference's desired state of the world (pkg/controller/volume/attachdetach, 1.36).
 */
export class WantedVolumes {
  readonly #pods: SharedInformer<Pod>;
  readonly #nodes: SharedInformer<Node>;
  readonly #claims: SharedInformer<PersistentVolumeClaim>;
  readonly #volumes: SharedInformer<PersistentVolume>;
  readonly #drivers: SharedInformer<CSIDriver>;
  readonly #onChange: (uniqueName: string, node: string) => void;
  /** By volume, node and key of the pod. */
  readonly #wanted = new Map<string, Map<string, Map<string, Wanted>>>();
  /** By key of a pod: the node that it is on, and the volumes that are wanted for it there. */
  readonly #byPod = new Map<string, { readonly node: string; readonly names: ReadonlySet<string> }>();

  constructor(informers: InformerFactory, onChange: (uniqueName: string, node: string) => void) {
    this.#onChange = onChange;
    this.#pods = informers.informer(resources.pods);
    this.#nodes = informers.informer(resources.nodes);
    this.#claims = informers.informer(resources.persistentvolumeclaims);
    this.#volumes = informers.informer(resources.persistentvolumes);
    this.#drivers = informers.informer(resources.csidrivers);
    addNodeIndex(this.#pods);
    this.#pods.addIndex(podsByClaim, claimKeysOf);
    const podChanged = (pod: Pod): void => this.#look(pod);
    this.#pods.addHandlers({
      onAdd: podChanged,
      onUpdate: podChanged,
      onDelete: (pod) => this.#replace(keyOf(pod), '', []),
    });
    const claimChanged = (claim: PersistentVolumeClaim): void => this.#lookAtUsers(keyOf(claim));
    this.#claims.addHandlers({ onAdd: claimChanged, onUpdate: claimChanged });
    const volumeChanged = ({ spec }: PersistentVolume): void =>
      this.#lookAtUsers(`${spec?.claimRef?.namespace ?? ''}/${spec?.claimRef?.name ?? ''}`);
    this.#volumes.addHandlers({ onAdd: volumeChanged, onUpdate: volumeChanged });
    const driverChanged = ({ metadata }: CSIDriver): void => {
      for (const volume of this.#volumes.list()) if (volume.spec?.csi?.driver === metadata?.name) volumeChanged(volume);
    };
    this.#drivers.addHandlers({ onAdd: driverChanged, onUpdate: driverChanged, onDelete: driverChanged });
    this.#nodes.addHandlers({
      onAdd: (node) => this.#lookAtNode(node),
      onUpdate: (node, before) => {
        if (isManaged(node) !== isManaged(before)) this.#lookAtNode(node);
      },
      onDelete: (node) => this.#lookAtNode(node),
    });
  }

  async waitForSync(signal: AbortSignal): Promise<void> {
    const informers = [this.#pods, this.#nodes, this.#claims, this.#volumes, this.#drivers];
    await Promise.all(informers.map((informer) => informer.waitForSync(signal)));
  }

  /** A volume as it is known for a node; undefined: it is not wanted there. */
  volumeOn(uniqueName: string, node: string): AttachableVolume | undefined {
    return this.#wanted.get(uniqueName)?.get(node)?.values().next().value?.volume;
  }

  nodesOf(uniqueName: string): readonly string[] {
    return [...(this.#wanted.get(uniqueName)?.keys() ?? [])];
  }

  podsOn(uniqueName: string, node: string): readonly Pod[] {
    return [...(this.#wanted.get(uniqueName)?.get(node)?.values() ?? [])].map(({ pod }) => pod);
  }

  /** Unique names of the volumes that a node is to have, in order. */
  namesOn(node: string): readonly string[] {
    const pods = podsOnNode(this.#pods, node);
    return [...new Set(pods.flatMap((pod) => [...(this.#byPod.get(keyOf(pod))?.names ?? [])]))].toSorted();
  }

  #lookAtUsers(claimKey: string): void {
    for (const pod of this.#pods.byIndex(podsByClaim, claimKey)) this.#look(pod);
  }

  #lookAtNode({ metadata }: Node): void {
    for (const pod of podsOnNode(this.#pods, metadata?.name ?? '')) this.#look(pod);
  }

  #look(pod: Pod): void {
    const node = pod.spec?.nodeName ?? '';
    if ((pod.spec?.volumes ?? []).length === 0) return;
    const known = this.#nodes.get(node);
    const isWanted = known !== undefined && isManaged(known) && !isPodEnded(pod);
    const volumes = isWanted ? (pod.spec?.volumes ?? []).flatMap((volume) => this.#resolve(pod, volume)) : [];
    this.#replace(
      keyOf(pod),
      node,
      volumes.map((volume) => ({ pod, volume })),
    );
  }

  /** Nothing for what is not attached, and for claims that are not bound yet. */
  #resolve(pod: Pod, volume: Volume): readonly AttachableVolume[] {
    const { namespace = '', name: podName = '' } = pod.metadata ?? {};
    const claimName =
      volume.persistentVolumeClaim?.claimName ??
      (volume.ephemeral === undefined ? undefined : `${podName}-${volume.name}`);
    if (claimName === undefined) return listOf(attachableInlineVolume(volume));
    const claim = this.#claims.get(`${namespace}/${claimName}`);
    if (claim?.status?.phase !== 'Bound') return [];
    if (volume.ephemeral !== undefined && foreignClaimProblem(claim, pod) !== undefined) return [];
    const bound = this.#volumes.get(claim.spec?.volumeName ?? '');
    if (bound?.spec?.claimRef?.uid !== claim.metadata?.uid) return [];
    return bound === undefined ? [] : listOf(attachablePersistentVolume(bound, (driver) => this.#drivers.get(driver)));
  }

  #replace(podKey: string, node: string, wanted: readonly Wanted[]): void {
    const before = this.#byPod.get(podKey);
    const names = new Set(wanted.map(({ volume }) => volume.uniqueName));
    for (const name of before?.names ?? [])
      if (before!.node !== node || !names.has(name)) this.#remove(name, before!.node, podKey);
    for (const each of wanted) this.#add(each, node, podKey);
    if (names.size === 0) this.#byPod.delete(podKey);
    else this.#byPod.set(podKey, { node, names });
    const known = before?.node === node ? before.names : new Set<string>();
    for (const name of before?.names ?? [])
      if (!names.has(name) || before!.node !== node) this.#onChange(name, before!.node);
    for (const name of names) if (!known.has(name)) this.#onChange(name, node);
  }

  #add(wanted: Wanted, node: string, podKey: string): void {
    const { uniqueName } = wanted.volume;
    const byNode = this.#wanted.get(uniqueName) ?? new Map<string, Map<string, Wanted>>();
    this.#wanted.set(uniqueName, byNode);
    const byPod = byNode.get(node) ?? new Map<string, Wanted>();
    byNode.set(node, byPod);
    byPod.set(podKey, wanted);
  }

  #remove(uniqueName: string, node: string, podKey: string): void {
    const byNode = this.#wanted.get(uniqueName);
    const byPod = byNode?.get(node);
    byPod?.delete(podKey);
    if (byPod?.size === 0) byNode?.delete(node);
    if (byNode?.size === 0) this.#wanted.delete(uniqueName);
  }
}

function isManaged({ metadata }: Node): boolean {
  return metadata?.annotations?.[managedAttachAnnotation] !== undefined;
}

function listOf<T>(value: T | undefined): readonly T[] {
  return value === undefined ? [] : [value];
}
