import { RegistryError } from '../../registry/registry-error.ts';
import { selectionPredicate } from '../../registry/rest/selection-predicate.ts';
import type { ResourceHandler } from '../route.ts';
import { deletionHook } from './admit.ts';
import { readDeleteOptions } from './delete.ts';
import { unsafeCollection } from './delete-unread.ts';
import { negotiateAnswer } from './exchange.ts';
import { listParameters } from './parameters/list-options.ts';
import { shardOf } from './parameters/shard-of.ts';
import type { RequestScope } from './request-scope.ts';
import { unlessLarge } from './unless-large.ts';
import { writeList } from './response/write-list.ts';
import { RequestRESTContext } from './rest-context.ts';

/** DELETE of all objects that a list would give; answers with that list (handlers/delete.go). */
export function deleteCollectionHandler(scope: RequestScope): ResourceHandler {
  const { storage } = scope;
  if (storage.deleteCollection === undefined) throw new RegistryError('storage cannot delete collections');
  return async (request, response, context) => {
    const output = negotiateAnswer(scope, request, context);
    const list = listParameters(context.query, { storage, version: scope.kind.version, forceWatch: false, name: '' });
    const read = await readDeleteOptions(scope, { request, response, context });
    if (read === undefined) return;
    const { body, object, options } = read;
    if (options.ignoreStoreReadErrorWithClusterBreakingPotential === true) throw unsafeCollection();
    const validate = deletionHook(scope, context, {
      operation: 'DELETE',
      namespace: context.requestInfo.namespace,
      name: '',
      object: undefined,
      oldObject: undefined,
      options: object,
      dryRun: options.dryRun,
    });
    const selected = {
      predicate: selectionPredicate(list.label, list.field, shardOf(scope, list)),
      resourceVersion: list.resourceVersion,
      resourceVersionMatch: list.resourceVersionMatch,
      limit: list.limit,
      continue: list.continue,
    };
    const turns = scope.work.turns(context);
    const result = await unlessLarge(
      scope,
      { request, response, context, body },
      {
        turns,
        work: () => storage.deleteCollection!(new RequestRESTContext(context, turns), validate, options, selected),
      },
    );
    if (result === undefined) return;
    await writeList(scope, { request, response, context }, { list: result, output });
  };
}
