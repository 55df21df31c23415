import type { APIInstaller, Store } from '@kubechain/apiserver/resources';
import { isConditionTrue, isEstablished, storageVersionOf } from '../definition/crd-types.ts';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';
import type { KnownCRD } from '../definition/known-crds.ts';
import { sameNames } from '../definition/naming.ts';
import { ServedCustomResource } from './custom-resource.ts';
import type { CustomResourceOptions } from './custom-resource.ts';

/**
 * What is installed of all CRDs (apiserver/customresource_handler.go and customresource_discovery_controller.go, 1.36):
 * a CRD whose names are accepted answers requests, an established one is in discovery too. A change of spec or accepted
 * names makes everything anew; requests and watches of before end with the old.
 */
export class ServedCustomResources {
  readonly #installer: APIInstaller;
  readonly #options: CustomResourceOptions;
  /** By name of the CRD. */
  readonly #served = new Map<string, ServedCustomResource>();
  /** No longer served, but still finishing what had begun. */
  readonly #retired = new Set<ServedCustomResource>();

  constructor(installer: APIInstaller, options: CustomResourceOptions) {
    this.#installer = installer;
    this.#options = options;
  }

  /** Brings routes and discovery in line with a CRD, at once. */
  sync(known: KnownCRD): void {
    const { crd } = known;
    const name = crd.metadata.name ?? '';
    const current = this.#served.get(name);
    if (!isConditionTrue(crd, 'NamesAccepted') && !isEstablished(crd)) {
      if (current !== undefined) this.#retire(name, current);
      return;
    }
    const state = { listed: isEstablished(crd), terminating: isConditionTrue(crd, 'Terminating') };
    if (current !== undefined && servesSame(current.crd, crd)) {
      if (current.setState(state)) this.#installer.installLazily(current.resources);
      return;
    }
    const served = new ServedCustomResource(known, this.#options);
    served.setState(state);
    if (current !== undefined) this.#retire(name, current);
    this.#installer.installLazily(served.resources);
    this.#served.set(name, served);
  }

  /** The CRD is gone. */
  remove(name: string, uid: string | undefined): void {
    const current = this.#served.get(name);
    if (current?.crd.metadata.uid === uid && current !== undefined) this.#retire(name, current);
  }

  /**
   * Runs `use` with the objects of a CRD as they are stored, served or not. @throws StatusError what keeps them from
   * being served
   */
  async withInstances(known: KnownCRD, use: (store: Store) => Promise<void>): Promise<void> {
    const { crd } = known;
    const current = this.#served.get(crd.metadata.name ?? '');
    const own = current?.crd.metadata.uid === crd.metadata.uid ? current : undefined;
    const served = own ?? new ServedCustomResource(known, this.#options);
    try {
      served.ensureServable();
      await use(served.store(storageVersionOf(crd)));
    } finally {
      if (own === undefined) await served.close();
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#retired, ...this.#served.values()].map((served) => served.close()));
  }

  #retire(name: string, served: ServedCustomResource): void {
    this.#served.delete(name);
    for (const { group, version, path } of served.resources)
      if (!path.includes('/')) this.#installer.removeLazy(group, version, path);
    this.#retired.add(served);
    served.retire(() => {
      this.#retired.delete(served);
    });
  }
}

/** Whether two versions of a CRD are served the same; they share a spec that is the same. */
function servesSame(a: CustomResourceDefinition, b: CustomResourceDefinition): boolean {
  const none = { plural: '', kind: '' };
  return a.spec === b.spec && sameNames(a.status?.acceptedNames ?? none, b.status?.acceptedNames ?? none);
}
