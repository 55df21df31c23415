import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import { nameIsPathSegment, type KubeObject } from '@kubechain/apimachinery';
import type { Binding, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { ObjectLookup } from './object-lookup.ts';

const copied: readonly string[] = ['topology.kubernetes.io/zone', 'topology.kubernetes.io/region'];

/** Pods carry the zone and region of the node they are put on (plugin/pkg/admission/podtopologylabels, 1.36). */
export class PodTopologyLabels implements AdmissionPlugin {
  readonly name = 'PodTopologyLabels';
  readonly #nodes: ObjectLookup;
  readonly #enabled: boolean;

  /** @param enabled PodTopologyLabelsAdmission; otherwise pods stay as they are */
  constructor(nodes: ObjectLookup, { enabled }: { readonly enabled: boolean }) {
    this.#nodes = nodes;
    this.#enabled = enabled;
  }

  handles(operation: AdmissionOperation): boolean {
    return this.#enabled && operation === 'CREATE';
  }

  admit(attributes: AdmissionAttributes): void | Promise<void> {
    const { object, resource } = attributes;
    if (resource.group !== '' || resource.resource !== 'pods' || object === undefined) return;
    const node = nodeOf(attributes);
    // What cannot be a name, no node has: validation says what is wrong with it.
    return node === '' || nameIsPathSegment(node, false).length > 0 ? undefined : this.#label(object, node);
  }

  async #label(object: KubeObject, node: string): Promise<void> {
    const labels = (await this.#nodes.get(node))?.metadata?.labels ?? {};
    const topology = copied.flatMap((key) => (labels[key] === undefined ? [] : [[key, labels[key]] as const]));
    if (topology.length === 0) return;
    const metadata = (object.metadata ??= {});
    metadata.labels = { ...metadata.labels, ...Object.fromEntries(topology) };
  }
}

/** The node that a pod is created on or bound to; '' for none. */
function nodeOf({ object, subresource }: AdmissionAttributes): string {
  switch (subresource) {
    case '':
      return (object as Pod).spec?.nodeName ?? '';
    case 'binding': {
      const { kind = '', name = '' } = (object as unknown as Binding).target ?? {};
      return kind === 'Node' ? name : '';
    }
    default:
      return '';
  }
}
