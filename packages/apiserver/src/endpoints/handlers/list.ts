import { RegistryError } from '../../registry/registry-error.ts';
import { selectionPredicate } from '../../registry/rest/selection-predicate.ts';
import { negotiateOutput } from '../../negotiation/negotiate.ts';
import type { ResourceHandler } from '../route.ts';
import { beginAnswer } from './exchange.ts';
import { listParameters } from './parameters/list-options.ts';
import { shardOf } from './parameters/shard-of.ts';
import type { RequestScope } from './request-scope.ts';
import { readAside } from './unless-large.ts';
import { writeList } from './response/write-list.ts';
import { RequestRESTContext } from './rest-context.ts';

/** GET of a collection (handlers/get.go). */
export function listHandler(scope: RequestScope): ResourceHandler {
  const { storage } = scope;
  if (storage.list === undefined) throw new RegistryError('storage cannot list');
  return async (request, response, context) => {
    beginAnswer(scope, request, context, scope.listProduces);
    const output = negotiateOutput(request.headers.accept, scope.offer);
    const { name } = context.requestInfo;
    const parameters = listParameters(context.query, { storage, version: scope.kind.version, forceWatch: false, name });
    const list = await storage.list!(new RequestRESTContext(context), {
      predicate: selectionPredicate(parameters.label, parameters.field, shardOf(scope, parameters)),
      resourceVersion: parameters.resourceVersion,
      resourceVersionMatch: parameters.resourceVersionMatch,
      limit: parameters.limit,
      continue: parameters.continue,
      ...(name === '' ? {} : { name }),
    });
    const exchange = { request, response, context };
    const aside = readAside(scope, exchange, { output, results: list.items });
    if (aside !== undefined && (await aside)) return;
    await writeList(scope, exchange, { list, output });
  };
}
