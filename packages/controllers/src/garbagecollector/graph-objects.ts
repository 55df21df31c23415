import {
  equalJSON,
  isConflict,
  isNotFound,
  isStatusError,
  type JSONValue,
  type OwnerReference,
} from '@kubechain/apimachinery';
import type { PartialObjectMetadata } from '@kubechain/apimachinery/types/meta/v1';
import type { Client } from '../client/client.ts';
import type { ResourceClient } from '../client/resource-client.ts';
import type { ResourceType } from '../client/resource-type.ts';
import type { ResourceMapper } from '../discovery/resource-mapper.ts';
import type { GraphNode, Identity } from './graph-node.ts';

/** An object without a namespace names an owner that has one: never possible. */
export class NamespacedOwnerError extends Error {
  override readonly name = 'NamespacedOwnerError';
}

export type Propagation = 'Orphan' | 'Foreground' | 'Background';

/** Reads, patches and deletes what a graph's nodes stand for (pkg/controller/garbagecollector/operations.go). */
export class GraphObjects {
  readonly #client: Client;
  readonly #mapper: ResourceMapper;

  constructor(client: Client, mapper: ResourceMapper) {
    this.#client = client;
    this.#mapper = mapper;
  }

  /** Metadata as the server has it now. @throws StatusError; UnknownKindError; NamespacedOwnerError */
  async get(identity: Identity): Promise<PartialObjectMetadata> {
    const { client, at } = await this.#at(identity);
    return client.getMetadata(at);
  }

  /** Whether the kind has namespaces. */
  async isNamespaced(apiVersion: string, kind: string): Promise<boolean> {
    return (await this.#mapper.resourceOf(apiVersion, kind)).namespaced;
  }

  /** Deletes this very object, if its owners are still those that were looked at. */
  async delete(
    identity: Identity,
    seen: { readonly resourceVersion: string | undefined; readonly owners: readonly OwnerReference[] },
    propagationPolicy: Propagation,
  ): Promise<void> {
    const { client, at } = await this.#at(identity);
    const { uid } = identity;
    const { resourceVersion } = seen;
    try {
      await client.delete(at, {
        propagationPolicy,
        preconditions: { uid, ...(resourceVersion === undefined ? {} : { resourceVersion }) },
      });
    } catch (error) {
      if (!isConflict(error) || resourceVersion === undefined) throw error;
      const { metadata } = await client.getMetadata(at);
      if (
        metadata?.uid !== uid ||
        metadata.resourceVersion === resourceVersion ||
        !sameOwners(metadata.ownerReferences, seen.owners)
      )
        throw error;
      // Changed in something else.
      await client.delete(at, { propagationPolicy, preconditions: { uid } });
    }
  }

  /** Takes away references to some owners. */
  async removeOwners(node: GraphNode, uids: readonly string[]): Promise<void> {
    const gone = new Set(uids);
    await this.#patchOwners(node, {
      strategic: uids.map((uid) => ({ $patch: 'delete', uid })),
      merged: (references) => references.filter(({ uid }) => !gone.has(uid)),
    });
  }

  /** No longer blocks its owners' deletion. */
  async unblockOwners(node: GraphNode): Promise<void> {
    await this.#patchOwners(node, {
      strategic: node.owners
        .filter(({ blockOwnerDeletion }) => blockOwnerDeletion === true)
        .map((reference) => ({ ...reference, blockOwnerDeletion: false })),
      merged: (references) => references.map((reference) => ({ ...reference, blockOwnerDeletion: false })),
    });
  }

  async removeFinalizer(identity: Identity, finalizer: string): Promise<void> {
    const { client, at } = await this.#at(identity);
    for (let tries = 1; ; tries++) {
      try {
        const { metadata } = await client.getMetadata(at);
        if (metadata?.finalizers?.includes(finalizer) !== true) return;
        await client.patch(
          at,
          {
            metadata: {
              resourceVersion: metadata.resourceVersion,
              finalizers: metadata.finalizers.filter((each) => each !== finalizer),
            },
          },
          { metadataOnly: true },
        );
        return;
      } catch (error) {
        if (isNotFound(error)) return;
        // As often as the reference tries before it comes back later.
        if (!isConflict(error) || tries >= 4) throw error;
      }
    }
  }

  async #patchOwners(
    { identity }: GraphNode,
    how: {
      readonly strategic: readonly object[];
      readonly merged: (references: readonly OwnerReference[]) => readonly OwnerReference[];
    },
  ): Promise<void> {
    const { client, at } = await this.#at(identity);
    try {
      await client.patch(
        at,
        { metadata: { uid: identity.uid, ownerReferences: how.strategic } },
        { type: 'application/strategic-merge-patch+json', metadataOnly: true },
      );
    } catch (error) {
      // Custom resources know no strategic merge.
      if (!isStatusError(error) || error.code !== 415) throw error;
      const { metadata } = await client.getMetadata(at);
      const ownerReferences = how.merged(metadata?.ownerReferences ?? []);
      await client.patch(
        at,
        { metadata: { resourceVersion: metadata?.resourceVersion, ownerReferences } },
        { metadataOnly: true },
      );
    }
  }

  async #at({ apiVersion, kind, name, namespace }: Identity): Promise<{
    readonly client: ResourceClient<PartialObjectMetadata>;
    readonly at: { readonly name: string; readonly namespace: string };
  }> {
    const resource = await this.#mapper.resourceOf(apiVersion, kind);
    if (resource.namespaced && namespace === '')
      throw new NamespacedOwnerError('cluster-scoped objects cannot refer to namespaced owners');
    return {
      client: this.#client.resource(resource as ResourceType<PartialObjectMetadata>),
      at: { name, namespace: resource.namespaced ? namespace : '' },
    };
  }
}

function sameOwners(a: readonly OwnerReference[] | undefined, b: readonly OwnerReference[]): boolean {
  return equalJSON((a ?? []) as unknown as JSONValue, b as unknown as JSONValue);
}
