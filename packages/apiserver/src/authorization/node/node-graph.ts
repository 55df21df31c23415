import type { PodReferences } from './pod-references.ts';
import type { VolumeReferences } from './volume-references.ts';

/** Kinds whose objects nodes may read when something ties the object to them. */
export type RelatedKind =
  | 'secret'
  | 'configmap'
  | 'pvc'
  | 'pv'
  | 'serviceaccount'
  | 'resourceclaim'
  | 'volumeattachment'
  | 'resourceslice'
  | 'pod'
  | 'podcertificaterequest';

/**
 * Which objects belong to which nodes. Upstream walks a graph; its paths are so few that sets with counts do:
 *
 *     node ◄─ pod ◄─ secret, configmap, serviceaccount, resourceclaim, pvc        (counted per node)
 *                    pvc ◄─ pv ◄─ secret                                          (one hop more, looked up when asked)
 *     node ◄─ volumeattachment, resourceslice, podcertificaterequest
 *
 * Keys are `namespace/name`, or `name` for cluster-scoped kinds. Source: plugin/pkg/auth/authorizer/node/graph.go.
 */
export class NodeGraph {
  /** `kind key` → node → how many pods (or objects) tie them. */
  readonly #nodes = new Map<string, Map<string, number>>();
  readonly #pods = new Map<string, PodReferences>();
  readonly #volumes = new Map<string, VolumeReferences>();
  /** secret → the volumes that are mounted with it. */
  readonly #volumesOfSecret = new Map<string, Set<string>>();
  readonly #direct = new Map<string, string>();

  /** Whether a node may know of an object. */
  isRelated(nodeName: string, kind: RelatedKind, key: string): boolean {
    if (this.#nodes.get(`${kind} ${key}`)?.has(nodeName) === true) return true;
    if (kind === 'pv') return this.#volumeIsRelated(nodeName, key);
    if (kind !== 'secret') return false;
    for (const volume of this.#volumesOfSecret.get(key) ?? []) if (this.#volumeIsRelated(nodeName, volume)) return true;
    return false;
  }

  setPod(key: string, references: PodReferences): void {
    this.deletePod(key);
    this.#pods.set(key, references);
    this.#countPod(key, references, 1);
  }

  deletePod(key: string): void {
    const references = this.#pods.get(key);
    if (references === undefined) return;
    this.#pods.delete(key);
    this.#countPod(key, references, -1);
  }

  setVolume(name: string, references: VolumeReferences): void {
    this.deleteVolume(name);
    this.#volumes.set(name, references);
    for (const secret of references.secrets) {
      const volumes = this.#volumesOfSecret.get(secret);
      if (volumes === undefined) this.#volumesOfSecret.set(secret, new Set([name]));
      else volumes.add(name);
    }
  }

  deleteVolume(name: string): void {
    for (const secret of this.#volumes.get(name)?.secrets ?? []) {
      const volumes = this.#volumesOfSecret.get(secret);
      if (volumes?.delete(name) === true && volumes.size === 0) this.#volumesOfSecret.delete(secret);
    }
    this.#volumes.delete(name);
  }

  /** An object that names its node itself; '' = none. */
  setDirect(kind: 'volumeattachment' | 'resourceslice' | 'podcertificaterequest', key: string, nodeName: string): void {
    this.deleteDirect(kind, key);
    if (nodeName === '') return;
    this.#direct.set(`${kind} ${key}`, nodeName);
    this.#count(kind, key, { nodeName, by: 1 });
  }

  deleteDirect(kind: 'volumeattachment' | 'resourceslice' | 'podcertificaterequest', key: string): void {
    const nodeName = this.#direct.get(`${kind} ${key}`);
    if (nodeName === undefined) return;
    this.#direct.delete(`${kind} ${key}`);
    this.#count(kind, key, { nodeName, by: -1 });
  }

  #volumeIsRelated(nodeName: string, volume: string): boolean {
    const references = this.#volumes.get(volume);
    return references !== undefined && this.#nodes.get(`pvc ${references.claim}`)?.has(nodeName) === true;
  }

  #countPod(key: string, references: PodReferences, by: 1 | -1): void {
    const change = { nodeName: references.nodeName, by };
    this.#count('pod', key, change);
    for (const account of references.serviceAccounts) this.#count('serviceaccount', account, change);
    for (const secret of references.secrets) this.#count('secret', secret, change);
    for (const configMap of references.configMaps) this.#count('configmap', configMap, change);
    for (const claim of references.claims) this.#count('pvc', claim, change);
    for (const claim of references.resourceClaims) this.#count('resourceclaim', claim, change);
  }

  #count(kind: RelatedKind, key: string, { nodeName, by }: { readonly nodeName: string; readonly by: 1 | -1 }): void {
    const id = `${kind} ${key}`;
    let nodes = this.#nodes.get(id);
    if (nodes === undefined) this.#nodes.set(id, (nodes = new Map()));
    const count = (nodes.get(nodeName) ?? 0) + by;
    if (count > 0) nodes.set(nodeName, count);
    else nodes.delete(nodeName);
    if (nodes.size === 0) this.#nodes.delete(id);
  }
}
