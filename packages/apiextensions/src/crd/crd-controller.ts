import { builtinScheme, formatTime, isNotFound } from '@kubechain/apimachinery';
import type { Clock } from '@kubechain/apimachinery';
import { Logger, ObjectInformer, copyObject, createFieldManager, createStatusStorage, everything, internalContext } from '@kubechain/apiserver';
import type { APIInstaller, FieldManager, Store } from '@kubechain/apiserver';
import { isStorageError } from '@kubechain/shared-storage';
import { isDeepStrictEqual } from 'node:util';
import { ServedCustomResource } from '../custom-resources/custom-resource.ts';
import type { CustomResourceOptions } from '../custom-resources/custom-resource.ts';
import { approvalCondition } from './approval-condition.ts';
import { cleanupFinalizer } from './crd-rest.ts';
import type { CRDListener } from './crd-rest.ts';
import { isEstablished, storageVersionOf } from './crd-types.ts';
import type { CRDCondition, CustomResourceDefinition } from './crd-types.ts';
import { resolveNames } from './naming.ts';
import { withCondition } from './set-condition.ts';
import { customResourceDefinitionStatusStrategy } from './strategy.ts';

const log = new Logger('crd');

export interface CRDControllerOptions {
  readonly installer: APIInstaller;
  readonly customResources: CustomResourceOptions;
  readonly clock: Clock;
}

interface Serving { readonly uid: string; readonly spec: CustomResourceDefinition['spec']; readonly names: unknown; readonly served: ServedCustomResource }

/**
 * The life of CRDs: names, conditions, serving and clean-up. Follows storage, so that every process over one etcd
 * serves the same; a write through this process is served before its client is answered.
 *
 *     created ─► names accepted ─► installed here ─► Established=True stored ─► … ─► Terminating ─► objects deleted ─► finalizer removed
 */
export class CRDController implements CRDListener {
  readonly #options: CRDControllerOptions;
  readonly #crds = new Map<string, CustomResourceDefinition>();
  readonly #serving = new Map<string, Serving>();
  readonly #cleaning = new Set<string>();
  /** No longer served, but still finishing what had begun. */
  readonly #retired = new Set<ServedCustomResource>();
  #store: Store | undefined;
  #informer: ObjectInformer<CustomResourceDefinition> | undefined;
  #fields: FieldManager | undefined;
  #stopped = false;

  constructor(options: CRDControllerOptions) { this.#options = options; }

  /** Begins to follow the stored CRDs; resolves when all of them are served. */
  async start(store: Store, signal: AbortSignal): Promise<void> {
    this.#store = store;
    this.#informer = new ObjectInformer({
      storage: store.storage, keyRoot: store.keyRoot, transform: (record) => record.object() as CustomResourceDefinition,
      onError: (error) => { log.warning('cannot follow CRDs', { error: messageOf(error) }); },
    });
    this.#informer.onChange((change) => {
      if (change.kind === 'delete') this.#gone(change.key, change.previous.metadata.uid ?? '');
      else void this.changed(change.value);
    });
    this.#informer.start();
    await this.#informer.waitForSync(signal);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#informer?.stop();
    await Promise.all([...this.#retired, ...[...this.#serving.values()].map(({ served }) => served)].map((served) => served.close()));
  }

  /** Brings everything in line with a CRD as it is stored now. Never rejects: what fails is logged and comes again with the next change. */
  async changed(crd: CustomResourceDefinition): Promise<void> {
    const name = crd.metadata.name ?? '';
    const known = this.#crds.get(name);
    if (known !== undefined && known.metadata.uid === crd.metadata.uid && Number(known.metadata.resourceVersion) > Number(crd.metadata.resourceVersion)) return;
    this.#crds.set(name, crd);
    try {
      if (crd.metadata.deletionTimestamp !== undefined) {
        this.#terminate(name);
        return await this.#cleanUp(crd);
      }
      const resolved = this.#withNames(crd);
      this.#serve(resolved);
      if (resolved !== crd) await this.#storeStatus(resolved);
    } catch (error) {
      log.warning('CRD cannot be brought up to date', { crd: name, error: messageOf(error) });
    }
  }

  #withNames(crd: CustomResourceDefinition): CustomResourceDefinition {
    const others = [...this.#crds.values()].filter((other) => other.spec.group === crd.spec.group && other.metadata.name !== crd.metadata.name);
    const { acceptedNames, namesAccepted, established } = resolveNames(crd, others);
    const now = formatTime(this.#options.clock.now());
    const approval = approvalCondition(crd);
    const conditions: CRDCondition[] = [namesAccepted, established, ...(approval === undefined ? [] : [approval])].reduce((list, condition) => withCondition(list, condition, now), crd.status?.conditions ?? []);
    const status = { ...crd.status, acceptedNames, conditions };
    return isDeepStrictEqual(JSON.parse(JSON.stringify(status)), JSON.parse(JSON.stringify(crd.status ?? {}))) ? crd : { ...crd, status };
  }

  /** Installs the CRD's routes, or replaces them when what they depend on has changed. */
  #serve(crd: CustomResourceDefinition): void {
    const name = crd.metadata.name ?? '';
    const current = this.#serving.get(name);
    if (!isEstablished(crd)) return;
    const names = crd.status?.acceptedNames;
    if (current !== undefined && current.uid === crd.metadata.uid && isDeepStrictEqual(current.spec, crd.spec) && isDeepStrictEqual(current.names, names)) return;
    const served = new ServedCustomResource(crd, this.#options.customResources);
    if (current !== undefined) this.#remove(name, current);
    this.#options.installer.installLazily(served.resources);
    this.#serving.set(name, { uid: crd.metadata.uid ?? '', spec: crd.spec, names, served });
  }

  /** No more objects can be created; the others stay reachable until they are gone. */
  #terminate(name: string): void {
    const serving = this.#serving.get(name);
    if (serving === undefined || serving.served.terminating) return;
    serving.served.terminate();
    this.#options.installer.installLazily(serving.served.resources);
  }

  #remove(name: string, { served }: Serving): void {
    this.#serving.delete(name);
    for (const { group, version, path } of served.resources) if (!path.includes('/')) this.#options.installer.removeResource(group, version, path);
    this.#retired.add(served);
    served.retire(() => { this.#retired.delete(served); });
  }

  #gone(name: string, uid: string): void {
    const crd = this.#crds.get(name);
    if (crd !== undefined && crd.metadata.uid !== uid) return;
    this.#crds.delete(name);
    const serving = this.#serving.get(name);
    if (serving !== undefined && serving.uid === uid) this.#remove(name, serving);
    // A name may have become free for another CRD of the group.
    if (crd !== undefined) for (const other of this.#crds.values()) if (other.spec.group === crd.spec.group) void this.changed(other);
  }

  async #storeStatus(crd: CustomResourceDefinition): Promise<void> {
    await this.#update(crd, (stored) => {
      if (stored.metadata.deletionTimestamp !== undefined || !isDeepStrictEqual(stored.spec.names, crd.spec.names)) return stored;
      return { ...stored, status: { ...stored.status, acceptedNames: crd.status?.acceptedNames ?? { plural: '', kind: '' }, conditions: crd.status?.conditions ?? [] } };
    });
  }

  /** Says how far the deletion is; with the last word the finalizer goes. */
  #setTerminating(crd: CustomResourceDefinition, condition: Pick<CRDCondition, 'status' | 'reason' | 'message'>, done = false): Promise<void> {
    const now = formatTime(this.#options.clock.now());
    return this.#update(crd, (stored) => ({
      ...stored,
      metadata: done ? { ...stored.metadata, finalizers: (stored.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanupFinalizer) } : stored.metadata,
      status: { ...stored.status, conditions: withCondition(stored.status?.conditions ?? [], { type: 'Terminating', ...condition }, now) },
    }));
  }

  #fieldManager(store: Store): FieldManager {
    return this.#fields ??= createFieldManager({
      scheme: builtinScheme(), storage: createStatusStorage(store, customResourceDefinitionStatusStrategy), clock: this.#options.clock, subresource: 'status', custom: false,
      kind: { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
    });
  }

  /** Deletes the CRD's objects, then lets it go. */
  async #cleanUp(crd: CustomResourceDefinition): Promise<void> {
    const name = crd.metadata.name ?? '';
    if (crd.metadata.finalizers?.includes(cleanupFinalizer) !== true || this.#cleaning.has(name)) return;
    this.#cleaning.add(name);
    try {
      const serving = this.#serving.get(name)?.served ?? (isEstablished(crd) ? new ServedCustomResource(crd, this.#options.customResources) : undefined);
      await this.#setTerminating(crd, { status: 'True', reason: 'InstanceDeletionInProgress', message: 'CustomResource deletion is in progress' });
      if (serving !== undefined) await this.#deleteObjects(serving.store(storageVersionOf(crd)));
      if (this.#stopped) return;
      await this.#setTerminating(crd, { status: 'False', reason: 'InstanceDeletionCompleted', message: 'removed all instances' }, true);
      if ((crd.metadata.finalizers?.length ?? 0) === 1) await this.#delete(crd);
    } finally {
      this.#cleaning.delete(name);
    }
  }

  async #deleteObjects(store: Store): Promise<void> {
    const groupResource = { group: store.spec.group, resource: store.spec.plural };
    const options = { dryRun: false };
    const asked = new Set<string>();
    for (let round = 0; !this.#stopped; round++) {
      const { items } = await store.list(internalContext({ groupResource }), { predicate: everything, resourceVersion: '', resourceVersionMatch: '', limit: 0, continue: '' });
      if (items.length === 0) return;
      for (const { attributes, key } of items) {
        if (asked.has(key)) continue;
        asked.add(key);
        try {
          await store.delete(internalContext({ groupResource, namespace: attributes.namespace }), attributes.name, () => undefined, options);
        } catch (error) {
          if (!isNotFound(error)) throw error;
        }
      }
      // What is left has finalizers of its own: somebody else has to remove them.
      await new Promise((resolve) => { setTimeout(resolve, Math.min(50 * 2 ** round, 5_000)); });
    }
  }

  async #update(crd: CustomResourceDefinition, change: (stored: CustomResourceDefinition) => CustomResourceDefinition): Promise<void> {
    const store = this.#store;
    if (store === undefined) return;
    const uid = crd.metadata.uid ?? '';
    try {
      const record = await store.storage.guaranteedUpdate(`${store.keyRoot}/${crd.metadata.name ?? ''}`, async ({ object }) => {
        const stored = object as CustomResourceDefinition;
        const changed = change(stored);
        return { object: changed === stored ? stored : await this.#fieldManager(store).update(stored, copyObject(changed), 'kube-apiserver') };
      }, { preconditions: { uid } });
      this.#crds.set(crd.metadata.name ?? '', record.object() as CustomResourceDefinition);
    } catch (error) {
      // Deleted meanwhile, or another one of the same name: that one has its own change.
      if (!isStorageError(error, 'KeyNotFound') && !isStorageError(error, 'InvalidObject')) throw error;
    }
  }

  async #delete(crd: CustomResourceDefinition): Promise<void> {
    try {
      await this.#store?.storage.delete(`${this.#store.keyRoot}/${crd.metadata.name ?? ''}`, { preconditions: { uid: crd.metadata.uid ?? '' } });
    } catch (error) {
      if (!isStorageError(error, 'KeyNotFound') && !isStorageError(error, 'InvalidObject')) throw error;
    }
    this.#gone(crd.metadata.name ?? '', crd.metadata.uid ?? '');
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
