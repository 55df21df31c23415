import { goJSON, isAlreadyExists, type KubeObject } from '@kubechain/apimachinery';
import type { ControllerRevision } from '@kubechain/apimachinery/types/apps/v1';
import type { PodTemplateSpec } from '@kubechain/apimachinery/types/core/v1';
import { isDeepStrictEqual } from 'node:util';
import type { Client } from '../client/client.ts';
import type { ResourceType } from '../client/resource-type.ts';
import { resources } from '../client/resources.ts';
import { controllerRef } from '../controller/controller-ref.ts';
import { inGoOrder, revisionHash } from './revision-hash.ts';

/** On pods, and on revisions of daemon sets: which template they are of. */
export const revisionLabel = 'controller-revision-hash';
/** On revisions of others. */
const hashLabel = 'controller.kubernetes.io/hash';

/** Whose revisions they are. */
export interface RevisionOwner {
  readonly object: Pick<KubeObject, 'metadata'>;
  readonly type: ResourceType<unknown>;
  readonly template: PodTemplateSpec;
  /** Of the label with the hash. Default: `hashLabel`. */
  readonly label?: string;
  /** Names a revision, by the collisions so far. Default: by its data and their number. */
  readonly hash?: (collisionCount: number | undefined) => string;
}

/**
 * What a revision remembers: a strategic merge patch that puts the template back (getPatch of both kinds, 1.36). In
 * Go's order: others compare the bytes with what they would write.
 */
export function revisionData(template: PodTemplateSpec): object {
  return inGoOrder({ spec: { template: { ...template, $patch: 'replace' } } }) as object;
}

/** The template that a revision remembers. */
export function templateOf({ data }: ControllerRevision): PodTemplateSpec {
  const { spec } = (data ?? {}) as { readonly spec?: { readonly template?: PodTemplateSpec & { $patch?: string } } };
  const { $patch: _patch, ...template } = spec?.template ?? {};
  return template;
}

/** Oldest first; of the same number by creation and name. */
export function byRevision(a: ControllerRevision, b: ControllerRevision): number {
  return (
    a.revision - b.revision ||
    createdMs(a) - createdMs(b) ||
    ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1)
  );
}

/** The number of the next revision. */
export function nextRevision(revisions: readonly ControllerRevision[]): number {
  return Math.max(0, ...revisions.map(({ revision }) => revision)) + 1;
}

export function isSameTemplate(revision: ControllerRevision, template: PodTemplateSpec): boolean {
  // Revisions of other writers have fields that are null, which say nothing.
  const [one, other] = [revision.data, revisionData(template)].map((data) => withoutNull(data));
  return isDeepStrictEqual(one, other);
}

/** Of those that nobody uses any more the oldest, beyond `limit`. */
export function surplusRevisions(
  revisions: readonly ControllerRevision[],
  isUsed: (revision: ControllerRevision) => boolean,
  limit: number,
): readonly ControllerRevision[] {
  const unused = revisions.filter((revision) => !isUsed(revision)).toSorted(byRevision);
  return limit < 0 ? [] : unused.slice(0, Math.max(0, unused.length - limit));
}

/** Keeps the history of an owner's templates in ControllerRevisions (pkg/controller/history, 1.36). */
export class ControllerRevisions {
  readonly #client: Client;

  constructor(client: Client) {
    this.#client = client;
  }

  /**
   * Makes a revision; where its name is taken by another template `collisionCount` is raised until it is not.
   * Resolves to the revision, which may have been there, and the count.
   */
  async create(
    { hash: hashOf, label = hashLabel, object, template, type }: RevisionOwner,
    revision: number,
    collisionCount: number | undefined,
  ): Promise<{ readonly revision: ControllerRevision; readonly collisionCount: number }> {
    const { annotations, name = '', namespace } = object.metadata ?? {};
    const client = this.#client.resource(resources.controllerrevisions);
    const data = revisionData(template);
    for (;;) {
      const hash = hashOf?.(collisionCount) ?? revisionHash(data, collisionCount ?? 0);
      const wanted: ControllerRevision = {
        metadata: {
          name: `${name.slice(0, 223)}-${hash}`,
          ...(namespace === undefined ? {} : { namespace }),
          labels: { ...template.metadata?.labels, [label]: hash },
          ...(annotations === undefined ? {} : { annotations }),
          ownerReferences: [controllerRef(object, type)],
        },
        data,
        revision,
      };
      try {
        return { revision: await client.create(wanted), collisionCount: collisionCount ?? 0 };
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
        const known = await client.get({ name: wanted.metadata?.name ?? '', namespace });
        if (isSameTemplate(known, template)) return { revision: known, collisionCount: collisionCount ?? 0 };
        collisionCount = (collisionCount ?? 0) + 1;
      }
    }
  }

  /** Gives a revision another number. */
  async renumber(revision: ControllerRevision, to: number): Promise<ControllerRevision> {
    if (revision.revision === to) return revision;
    return this.#client.resource(resources.controllerrevisions).update({ ...revision, revision: to });
  }

  async delete({ metadata }: ControllerRevision): Promise<void> {
    const { name = '', namespace } = metadata ?? {};
    await this.#client.resource(resources.controllerrevisions).delete({ name, namespace });
  }
}

function createdMs({ metadata }: ControllerRevision): number {
  return typeof metadata?.creationTimestamp === 'string' ? Date.parse(metadata.creationTimestamp) : 0;
}

function withoutNull(data: unknown): unknown {
  return JSON.parse(goJSON(data), (_key, value: unknown) => (value === null ? undefined : value)) as unknown;
}
