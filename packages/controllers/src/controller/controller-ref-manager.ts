import {
  controllerOf,
  isBeingDeleted,
  isInvalid,
  isNotFound,
  loopTurns,
  type LabelSelector,
  type ObjectMeta,
} from '@kubechain/apimachinery';
import type { ResourceClient } from '../client/resource-client.ts';
import { keyOf } from '../informers/object-key.ts';
import { controllerRef } from './controller-ref.ts';

interface Owned {
  readonly metadata?: ObjectMeta;
}

export interface ControllerRefManagerOptions<T extends object> {
  /** What is owned. */
  readonly owned: ResourceClient<T>;
  readonly owner: { readonly metadata?: ObjectMeta };
  /** Asked whether the owner is still this one, before anything is adopted. */
  readonly owners: ResourceClient<{ readonly metadata?: ObjectMeta }>;
  readonly selector: LabelSelector;
  /** Added with an adoption and taken away with a release, as jobs do with pods. */
  readonly finalizers?: readonly string[];
}

/**
 * Decides which objects belong to a controller, by its selector and their controller references
 * (pkg/controller/controller_ref_manager.go): adopts orphans that match, releases what no longer does.
 */
export class ControllerRefManager<T extends Owned & object> {
  readonly #options: ControllerRefManagerOptions<T>;
  #canAdopt: Promise<void> | undefined;

  constructor(options: ControllerRefManagerOptions<T>) {
    this.#options = options;
  }

  /**
   * Those of the objects that are the owner's, after adoptions and releases.
   * @throws the first error of a patch, after all have been tried
   */
  async claim(objects: readonly T[], alsoMatches: (object: T) => boolean = () => true): Promise<T[]> {
    const claimed: T[] = [];
    const errors: unknown[] = [];
    for (const object of objects) {
      try {
        if (await this.#claimOne(object, alsoMatches)) claimed.push(object);
      } catch (error) {
        errors.push(error);
      }
      const turn = loopTurns.next();
      if (turn !== undefined) await turn;
    }
    if (errors.length > 0) throw errors[0] as Error;
    return claimed;
  }

  async #claimOne(object: T, alsoMatches: (object: T) => boolean): Promise<boolean> {
    const { owner, selector } = this.#options;
    const reference = controllerOf(object.metadata);
    const matches = selector.matches(object.metadata?.labels) && alsoMatches(object);
    if (reference !== undefined) {
      if (reference.uid !== owner.metadata?.uid) return false;
      if (matches) return true;
      if (!isBeingDeleted(owner.metadata)) await this.#release(object);
      return false;
    }
    if (isBeingDeleted(owner.metadata) || !matches || isBeingDeleted(object.metadata)) return false;
    if ((owner.metadata?.namespace ?? '') !== (object.metadata?.namespace ?? '')) return false;
    return this.#adopt(object);
  }

  async #adopt(object: T): Promise<boolean> {
    const { owned, owner, owners, finalizers } = this.#options;
    this.#canAdopt ??= this.#askForOwner();
    await this.#canAdopt;
    try {
      // A strategic merge adds to the references; the uid makes sure that it is this object.
      await owned.patch(
        nameOf(object),
        {
          metadata: {
            ownerReferences: [controllerRef(owner, owners.type)],
            uid: object.metadata?.uid,
            ...(finalizers === undefined ? {} : { finalizers }),
          },
        },
        { type: 'application/strategic-merge-patch+json' },
      );
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  /** @throws Error when the owner is gone or going: then it has nothing to adopt (RecheckDeletionTimestamp) */
  async #askForOwner(): Promise<void> {
    const { owner, owners } = this.#options;
    const { uid = '' } = owner.metadata ?? {};
    const { metadata } = await owners.get(nameOf(owner));
    if (metadata?.uid !== uid)
      throw new Error(
        `original ${owners.type.kind} ${keyOf(owner)} is gone: got uid ${metadata?.uid ?? ''}, wanted ${uid}`,
      );
    if (metadata.deletionTimestamp !== undefined)
      throw new Error(`${keyOf(owner)} has just been deleted at ${metadata.deletionTimestamp}`);
  }

  async #release(object: T): Promise<void> {
    const { owned, owner, finalizers } = this.#options;
    try {
      await owned.patch(
        nameOf(object),
        {
          metadata: {
            uid: object.metadata?.uid,
            ownerReferences: [{ $patch: 'delete', uid: owner.metadata?.uid }],
            ...(finalizers === undefined ? {} : { '$deleteFromPrimitiveList/finalizers': finalizers }),
          },
        },
        { type: 'application/strategic-merge-patch+json' },
      );
    } catch (error) {
      // Gone, or it is another object of the name, or it was released already.
      if (!isNotFound(error) && !isInvalid(error)) throw error;
    }
  }
}

function nameOf(object: Owned): { readonly name: string; readonly namespace?: string | undefined } {
  const { name = '', namespace } = object.metadata ?? {};
  return { name, namespace };
}
