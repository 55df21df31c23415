import type { DiscoveryManager } from '@kubechain/apiserver/servers';
import type { RequestedResource } from './peer-metrics.ts';

/** Which resources this chain serves, made anew when its discovery has changed. */
export class ServedHere {
  readonly #managers: readonly DiscoveryManager[];
  #resources: ReadonlySet<string> = new Set();
  #generation = -1;

  constructor(managers: readonly DiscoveryManager[]) {
    this.#managers = managers;
  }

  /** Whether the processes of the chain have said anything yet. */
  get isKnown(): boolean {
    return this.#managers.every(({ generation }) => generation > 0);
  }

  has({ group, resource, version }: RequestedResource): boolean {
    const generation = this.#managers.reduce((sum, manager) => sum + manager.generation, 0);
    if (generation !== this.#generation) {
      this.#generation = generation;
      this.#resources = this.#all();
    }
    return this.#resources.has(`${group}/${version}/${resource}`);
  }

  #all(): Set<string> {
    const all = new Set<string>();
    for (const manager of this.#managers)
      for (const { group, version } of manager.groupVersions())
        for (const { name } of manager.resources({ group, version }) ?? []) all.add(`${group}/${version}/${name}`);
    return all;
  }
}
