import { badRequest } from '@kubechain/apimachinery';
import { RegistryError } from '../../registry/registry-error.ts';
import type { RequestContext } from '../request-context.ts';
import type { ResourceHandler, UpgradeHandler } from '../route.ts';
import { RequestAttributes } from './admission-attributes.ts';
import { connectOptions } from './connect-options.ts';
import { requiredName } from './exchange.ts';
import type { RequestScope } from './request-scope.ts';
import { RequestRESTContext } from './rest-context.ts';

/** Requests that their storage answers by itself: proxy, exec, attach, port-forward, log (handlers.ConnectResource). */
export function connectHandler(scope: RequestScope): ResourceHandler {
  const { storage } = scope;
  if (storage.connect === undefined) throw new RegistryError('storage cannot connect');
  return async (request, response, context) => {
    const { name, path } = await beginConnect(scope, context);
    await storage.connect!(new RequestRESTContext(context), name, path, { request, response });
  };
}

/** The same for connections that change their protocol. */
export function connectUpgradeHandler(scope: RequestScope): UpgradeHandler {
  const { storage } = scope;
  if (storage.connect === undefined) throw new RegistryError('storage cannot connect');
  return async (request, socket, head, context) => {
    const { name, path } = await beginConnect(scope, context);
    await storage.connect!(new RequestRESTContext(context), name, path, { request, socket, head });
  };
}

async function beginConnect(scope: RequestScope, context: RequestContext): Promise<{ readonly name: string; readonly path: string }> {
  if (context.query.has('dryRun')) throw badRequest('dryRun is not supported');
  const name = requiredName(context);
  const { admission } = scope;
  if (!admission.empty && admission.handles('CONNECT')) {
    const attributes = new RequestAttributes(scope, context, {
      operation: 'CONNECT', namespace: context.requestInfo.namespace, name, object: connectOptions(scope, context.query), oldObject: undefined, options: undefined, dryRun: false,
    });
    await admission.admit(attributes);
    await admission.validate(attributes);
  }
  return { name, path: subpathOf(scope, context) };
}

/** What follows the resource's own path: '' or `/…`, with the trailing slash that the request had. */
function subpathOf(scope: RequestScope, { requestInfo }: RequestContext): string {
  const rest = requestInfo.parts.slice(scope.subresource === '' ? 2 : 3).join('/');
  const path = rest === '' ? '' : `/${rest}`;
  return requestInfo.path.endsWith('/') && !path.endsWith('/') ? `${path}/` : path;
}
