import type { RESTStorage } from '../rest/storage.ts';
import type { Store } from './store.ts';

/**
 * What a store serves but for its deletions and its end: for resources whose objects go in a way of their own
 * (namespaces, definitions of custom resources).
 */
export function storageWithoutDeletes(store: Store): RESTStorage {
  return {
    kind: store.kind,
    listKind: store.listKind,
    memoryVersion: store.memoryVersion,
    storageVersion: store.storageVersion,
    namespaced: store.namespaced,
    singularName: store.singularName,
    shortNames: store.shortNames,
    categories: store.categories,
    ...(store.table === undefined ? {} : { table: store.table }),
    ...(store.resetFields === undefined ? {} : { resetFields: store.resetFields }),
    convertFieldLabel: (term) => store.convertFieldLabel(term),
    get: (context, name, options) => store.get(context, name, options),
    list: (context, options) => store.list(context, options),
    watch: (context, options, sink) => store.watch(context, options, sink),
    create: (context, name, object, options) => store.create(context, name, object, options),
    update: (context, name, info, options) => store.update(context, name, info, options),
  };
}
