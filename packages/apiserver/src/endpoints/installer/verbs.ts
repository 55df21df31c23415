import type { RESTStorage } from '../../registry/rest/storage.ts';

/** Verbs of discovery that a storage serves, sorted: which methods it has decides. */
export function servedVerbs(storage: RESTStorage): string[] {
  const verbs = new Set<string>();
  if (storage.create !== undefined) verbs.add('create');
  if (storage.delete !== undefined) verbs.add('delete');
  if (storage.deleteCollection !== undefined) verbs.add('deletecollection');
  if (storage.get !== undefined) verbs.add('get');
  if (storage.list !== undefined) verbs.add('list');
  if (isPatcher(storage)) verbs.add('patch');
  if (storage.update !== undefined) verbs.add('update');
  if (storage.watch !== undefined) verbs.add('watch');
  // Streams are reached by method: GET as get, POST as create (toDiscoveryKubeVerb).
  if (storage.connect !== undefined)
    for (const method of storage.connectMethods ?? []) {
      const verb = connectVerbs.get(method);
      if (verb !== undefined) verbs.add(verb);
    }
  return [...verbs].sort();
}

/** rest.Patcher: what can be read and updated can be patched. */
export function isPatcher(storage: RESTStorage): boolean {
  return storage.patchable !== false && storage.get !== undefined && storage.update !== undefined;
}

const connectVerbs: ReadonlyMap<string, string> = new Map([
  ['GET', 'get'],
  ['POST', 'create'],
  ['PUT', 'update'],
  ['DELETE', 'delete'],
  ['PATCH', 'patch'],
]);
