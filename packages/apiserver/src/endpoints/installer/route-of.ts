import { connectHandler, connectUpgradeHandler } from '../handlers/connect.ts';
import { createHandler } from '../handlers/create.ts';
import { deleteCollectionHandler } from '../handlers/delete-collection.ts';
import { deleteHandler } from '../handlers/delete.ts';
import { getHandler } from '../handlers/get.ts';
import { listHandler } from '../handlers/list.ts';
import { patchHandler } from '../handlers/patch.ts';
import type { RequestScope } from '../handlers/request-scope.ts';
import { updateHandler } from '../handlers/update.ts';
import { watchHandler, watchUpgradeHandler } from '../handlers/watch.ts';
import type { ResourceHandler, ResourceRoute, UpgradeHandler } from '../route.ts';
import { isPatcher } from './verbs.ts';

/** The handlers of one resource or subresource, by RequestInfo verb: one for each method that its storage has. */
export function routeOf(scope: RequestScope): ResourceRoute {
  const { storage } = scope;
  const handlers = new Map<string, ResourceHandler>();
  if (storage.get !== undefined) handlers.set('get', getHandler(scope));
  if (storage.list !== undefined) handlers.set('list', listHandler(scope));
  if (storage.watch !== undefined) handlers.set('watch', watchHandler(scope));
  if (storage.create !== undefined) handlers.set('create', createHandler(scope));
  if (storage.update !== undefined) handlers.set('update', updateHandler(scope));
  if (isPatcher(storage)) handlers.set('patch', patchHandler(scope));
  if (storage.delete !== undefined) handlers.set('delete', deleteHandler(scope));
  if (storage.deleteCollection !== undefined) handlers.set('deletecollection', deleteCollectionHandler(scope));
  const upgrades = new Map<string, UpgradeHandler>();
  if (storage.watch !== undefined) upgrades.set('watch', watchUpgradeHandler(scope));
  if (storage.connect === undefined) return { handlers, upgrades, namespaced: storage.namespaced };
  const connect = connectHandler(scope);
  const connectUpgrade = connectUpgradeHandler(scope);
  for (const method of storage.connectMethods ?? []) {
    const verb = connectVerbs.get(method);
    if (verb === undefined || handlers.has(verb)) continue;
    handlers.set(verb, connect);
    upgrades.set(verb, connectUpgrade);
  }
  return {
    handlers,
    upgrades,
    namespaced: storage.namespaced,
    acceptsSubpath: true,
    methods: new Set(storage.connectMethods),
  };
}

/** RequestInfo's verb for each method that streams are reached by. */
const connectVerbs: ReadonlyMap<string, string> = new Map([
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['POST', 'create'],
  ['PUT', 'update'],
  ['PATCH', 'patch'],
  ['DELETE', 'delete'],
  ['OPTIONS', ''],
]);
