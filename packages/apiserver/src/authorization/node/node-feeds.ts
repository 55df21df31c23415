import type { KubeObject } from '@kubechain/apimachinery';
import { ObjectInformer } from '../../informers/object-informer.ts';
import type { ResourceStorage } from '../../informers/resource-storage.ts';
import { NodeGraph } from './node-graph.ts';
import { podReferences } from './pod-references.ts';
import { volumeReferences } from './volume-references.ts';

/** Where the resources that tie objects to nodes are kept; absent ones are not followed. */
export interface NodeStorages {
  readonly pods: ResourceStorage;
  readonly persistentVolumes: ResourceStorage;
  readonly volumeAttachments: ResourceStorage;
  readonly resourceSlices?: ResourceStorage;
  readonly podCertificateRequests?: ResourceStorage;
}

/** A NodeGraph that follows storage. */
export interface FollowedNodes {
  readonly graph: NodeGraph;
  readonly hasSynced: () => boolean;
  waitForSync(signal?: AbortSignal): Promise<void>;
  stop(): void;
}

/** Keeps, of each object, only what relates it to nodes. Source: plugin/pkg/auth/authorizer/node/graph_populator.go. */
export function followNodes(
  storages: NodeStorages,
  options: { readonly onError?: (error: unknown) => void } = {},
): FollowedNodes {
  const graph = new NodeGraph();
  const informers: ObjectInformer<unknown>[] = [];
  const follow = <T>(
    { storage, keyRoot, informerEnds }: ResourceStorage,
    feed: {
      readonly read: (object: KubeObject) => T | undefined;
      readonly set: (key: string, value: T) => void;
      readonly remove: (key: string) => void;
    },
  ): void => {
    const informer = new ObjectInformer<T>({
      storage,
      keyRoot,
      informerEnds,
      transform: (record) => feed.read(record.object()),
      ...options,
    });
    informer.onChange((change) =>
      change.kind === 'set' ? feed.set(change.key, change.value) : feed.remove(change.key),
    );
    informer.start();
    informers.push(informer as ObjectInformer<unknown>);
  };
  follow(storages.pods, {
    read: podReferences,
    set: (key, references) => graph.setPod(key, references),
    remove: (key) => graph.deletePod(key),
  });
  follow(storages.persistentVolumes, {
    read: volumeReferences,
    set: (key, references) => graph.setVolume(key, references),
    remove: (key) => graph.deleteVolume(key),
  });
  const direct = [
    ['volumeattachment', storages.volumeAttachments],
    ['resourceslice', storages.resourceSlices],
    ['podcertificaterequest', storages.podCertificateRequests],
  ] as const;
  for (const [kind, storage] of direct) {
    if (storage === undefined) continue;
    follow(storage, {
      read: nodeNameInSpec,
      set: (key, nodeName) => graph.setDirect(kind, key, nodeName),
      remove: (key) => graph.deleteDirect(kind, key),
    });
  }
  return {
    graph,
    hasSynced: () => informers.every((informer) => informer.hasSynced),
    waitForSync: async (signal) => void (await Promise.all(informers.map((informer) => informer.waitForSync(signal)))),
    stop: () => informers.forEach((informer) => informer.stop()),
  };
}

function nodeNameInSpec(object: KubeObject): string | undefined {
  const nodeName = (object['spec'] as { nodeName?: string } | undefined)?.nodeName;
  return nodeName === '' ? undefined : nodeName;
}
