import type { Clock } from '@kubechain/apimachinery';
import { copyObject, createFieldManager, createStatusStorage, Turns } from '@kubechain/apiserver/resources';
import type { FieldManager, Store } from '@kubechain/apiserver/resources';
import { isStorageError } from '@kubechain/shared-storage';
import type { ObjectRecord } from '@kubechain/shared-storage';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';
import { customResourceDefinitionStatusStrategy } from './strategy.ts';

/**
 * Makes the CRD that should be stored of the one that is; returns its argument where nothing is to change. May run
 * several times.
 */
export type CRDChange = (stored: CustomResourceDefinition) => CustomResourceDefinition;

/** Thrown inside an update that leaves a dying CRD without finalizers. */
class NothingHolds extends Error {
  override readonly name = 'NothingHolds';
}

/**
 * The server's own writes to a CRD's status endpoint, as field manager `kube-apiserver`. A CRD that is gone, or that is
 * another one of the same name, is left alone: its own events come.
 */
export class CRDStatus {
  readonly #store: Store;
  readonly #fields: FieldManager;

  constructor(store: Store, clock: Clock) {
    this.#store = store;
    this.#fields = createFieldManager({
      scheme: store.spec.scheme,
      storage: createStatusStorage(store, customResourceDefinitionStatusStrategy),
      clock,
      subresource: 'status',
      custom: false,
      kind: { group: 'apiextensions.k8s.io', version: 'v1', kind: 'CustomResourceDefinition' },
    });
  }

  /**
   * Resolves to what is stored then; undefined when the CRD is gone, also by this: one that is dying goes with its last
   * finalizer.
   */
  async update(
    { metadata: { name = '', uid = '' } }: CustomResourceDefinition,
    change: CRDChange,
  ): Promise<ObjectRecord | undefined> {
    const key = `${this.#store.keyRoot}/${name}`;
    // Each step on a large definition takes a tenth of a second; this often runs within an event's.
    const turns = new Turns();
    try {
      return await this.#store.storage.guaranteedUpdate(
        key,
        async ({ object }) => {
          const stored = object as CustomResourceDefinition;
          const changed = change(stored);
          if (changed === stored) return { object: stored };
          if (isFree(changed)) throw new NothingHolds();
          const updated = await this.#fields.update(stored, withOwnParts(changed), 'kube-apiserver');
          await turns.next();
          return { object: updated, isChanged: true };
        },
        { preconditions: { uid }, turn: (json) => turns.before(json) },
      );
    } catch (error) {
      if (error instanceof NothingHolds) await this.#delete(key, uid);
      else if (!isGone(error)) throw error;
      return undefined;
    }
  }

  async #delete(key: string, uid: string): Promise<void> {
    try {
      await this.#store.storage.delete(key, { preconditions: { uid } });
    } catch (error) {
      if (!isGone(error)) throw error;
    }
  }
}

/** Copies what may have changed and shares the rest, so that nobody compares schemas. */
function withOwnParts({ metadata, status, ...rest }: CustomResourceDefinition): CustomResourceDefinition {
  return { ...rest, metadata: copyObject(metadata), ...(status === undefined ? {} : { status: copyObject(status) }) };
}

function isFree({ metadata }: CustomResourceDefinition): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers?.length ?? 0) === 0;
}

function isGone(error: unknown): boolean {
  return isStorageError(error, 'KeyNotFound') || isStorageError(error, 'InvalidObject');
}
