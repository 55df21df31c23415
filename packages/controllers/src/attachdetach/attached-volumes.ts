import type { AttachableVolume } from './attachable-volume.ts';

/** What is known of a volume on a node. */
export interface Attachment {
  /** `uncertain`: it was asked for, or its end was, and nobody has said how it came out. */
  state: 'attached' | 'uncertain';
  /** Undefined for one that was there before this process, and that no pod wants. */
  volume: AttachableVolume | undefined;
  /** The node's status says that the volume is attached, so that the node may mount it. */
  isReported: boolean;
  /** Since when nobody wants it, by the clock; undefined while somebody does. */
  unwantedSinceMs: number | undefined;
}

/** Where volumes are, as far as this process knows: the reference's actual state of the world. */
export class AttachedVolumes {
  readonly #byVolume = new Map<string, Map<string, Attachment>>();

  get(uniqueName: string, node: string): Attachment | undefined {
    return this.#byVolume.get(uniqueName)?.get(node);
  }

  /** Nodes and attachments of a volume. */
  of(uniqueName: string): readonly (readonly [node: string, attachment: Attachment])[] {
    return [...(this.#byVolume.get(uniqueName) ?? [])];
  }

  volumes(): readonly string[] {
    return [...this.#byVolume.keys()];
  }

  set(uniqueName: string, node: string, attachment: Attachment): void {
    const byNode = this.#byVolume.get(uniqueName) ?? new Map<string, Attachment>();
    this.#byVolume.set(uniqueName, byNode);
    byNode.set(node, attachment);
  }

  delete(uniqueName: string, node: string): void {
    const byNode = this.#byVolume.get(uniqueName);
    byNode?.delete(node);
    if (byNode?.size === 0) this.#byVolume.delete(uniqueName);
  }

  /** Volumes that a node's status is to name, in order. */
  reportedOn(node: string): readonly string[] {
    return [...this.#byVolume]
      .filter(([, byNode]) => byNode.get(node)?.isReported === true)
      .map(([uniqueName]) => uniqueName)
      .toSorted();
  }
}
