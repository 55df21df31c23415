import { RegistryError } from '../../registry/registry-error.ts';
import type { ResourceHandler } from '../route.ts';
import { negotiateAnswer, requiredName } from './exchange.ts';
import { getOptions } from './parameters/get-options.ts';
import type { RequestScope } from './request-scope.ts';
import { readAside } from './unless-large.ts';
import { writeResult } from './response/write-result.ts';
import { RequestRESTContext } from './rest-context.ts';

/** GET of one object (handlers/get.go). */
export function getHandler(scope: RequestScope): ResourceHandler {
  const { storage } = scope;
  if (storage.get === undefined) throw new RegistryError('storage cannot get');
  return async (request, response, context) => {
    const name = requiredName(context);
    const output = negotiateAnswer(scope, request, context);
    context.span?.event('About to Get from storage');
    const result = await storage.get!(new RequestRESTContext(context), name, getOptions(context.query));
    const exchange = { request, response, context };
    const aside = readAside(scope, exchange, { output, results: [result] });
    if (aside !== undefined && (await aside)) return;
    await writeResult(scope, exchange, { code: 200, result, output });
  };
}
