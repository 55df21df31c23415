import type { ObjectRecord, ReadOnce } from '@kubechain/shared-storage';
import { ObjectInformer } from '../../informers/object-informer.ts';
import type { ResourceStorage } from '../../informers/resource-storage.ts';
import type { RoleBindingObject, RoleObject } from './rbac-objects.ts';
import { RoleStore } from './role-store.ts';
import { compileBinding, type CompiledBinding } from './subject-index.ts';

/** Where the four kinds are kept. */
export interface RoleStorages {
  readonly clusterRoles: ResourceStorage;
  readonly roles: ResourceStorage;
  readonly clusterRoleBindings: ResourceStorage;
  readonly roleBindings: ResourceStorage;
}

/** A RoleStore that follows storage, and the watches behind it. */
export interface FollowedRoles {
  readonly store: RoleStore;
  readonly hasSynced: () => boolean;
  waitForSync(signal?: AbortSignal): Promise<void>;
  stop(): void;
}

/** Watches roles and bindings into a RoleStore; decisions made before it has synced know too little and deny. */
export function followRoles(storages: RoleStorages, options: FeedOptions = {}): FollowedRoles {
  const store = new RoleStore();
  const informers = [
    follow<RoleObject>(storages.clusterRoles, {
      read: roleOf,
      set: (key, role) => store.setClusterRole(key, role),
      remove: (key) => store.deleteClusterRole(key),
      ...options,
    }),
    follow<RoleObject>(storages.roles, {
      read: roleOf,
      set: (key, role) => store.setRole(key, role),
      remove: (key) => store.deleteRole(key),
      ...options,
    }),
    follow<CompiledBinding>(storages.clusterRoleBindings, {
      read: bindingOf,
      set: (key, binding) => store.setClusterRoleBinding(key, binding),
      remove: (key) => store.deleteClusterRoleBinding(key),
      ...options,
    }),
    follow<CompiledBinding>(storages.roleBindings, {
      read: bindingOf,
      set: (key, binding) => store.setRoleBinding(key, binding),
      remove: (key) => store.deleteRoleBinding(key),
      ...options,
    }),
  ];
  return {
    store,
    hasSynced: () => informers.every((informer) => informer.hasSynced),
    waitForSync: async (signal) => void (await Promise.all(informers.map((informer) => informer.waitForSync(signal)))),
    stop: () => informers.forEach((informer) => informer.stop()),
  };
}

interface FeedOptions {
  readonly onError?: (error: unknown) => void;
  /** Default: each record is read anew. */
  readonly readOnce?: ReadOnce | undefined;
}

interface Feed<T> extends FeedOptions {
  readonly read: (record: ObjectRecord) => T;
  readonly set: (key: string, object: T) => void;
  readonly remove: (key: string) => void;
}

function roleOf(record: ObjectRecord): RoleObject {
  return record.object() as RoleObject;
}

function bindingOf(record: ObjectRecord): CompiledBinding {
  return compileBinding(record.object() as unknown as RoleBindingObject);
}

function follow<T>({ storage, keyRoot, informerEnds }: ResourceStorage, feed: Feed<T>): ObjectInformer<T> {
  const informer = new ObjectInformer<T>({
    storage,
    keyRoot,
    informerEnds,
    transform: (record: ObjectRecord) => feed.readOnce?.(record, feed.read) ?? feed.read(record),
    ...(feed.onError === undefined ? {} : { onError: feed.onError }),
  });
  informer.onChange((change) => (change.kind === 'set' ? feed.set(change.key, change.value) : feed.remove(change.key)));
  informer.start();
  return informer;
}

/**
 * A RoleStore of this moment, from consistent lists: for escalation checks, which must see a role that was written just
 * before.
 */
export async function readRoleStore(storages: RoleStorages, signal?: AbortSignal): Promise<RoleStore> {
  const store = new RoleStore();
  const read = async (
    { storage, keyRoot }: ResourceStorage,
    add: (key: string, record: ObjectRecord) => void,
  ): Promise<void> => {
    const { items } = await storage.getList(`${keyRoot}/`, {
      recursive: true,
      ...(signal === undefined ? {} : { signal }),
    });
    for (const record of items) add(record.key.slice(keyRoot.length + 1), record);
  };
  await Promise.all([
    read(storages.clusterRoles, (key, record) => store.setClusterRole(key, roleOf(record))),
    read(storages.roles, (key, record) => store.setRole(key, roleOf(record))),
    read(storages.clusterRoleBindings, (key, record) => store.setClusterRoleBinding(key, bindingOf(record))),
    read(storages.roleBindings, (key, record) => store.setRoleBinding(key, bindingOf(record))),
  ]);
  return store;
}
