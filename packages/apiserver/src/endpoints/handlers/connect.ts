import { badRequest } from '@kubechain/apimachinery';
import type { Socket } from 'node:net';
import type { ConnectExchange, Connection } from '../../registry/rest/storage.ts';
import { RegistryError } from '../../registry/registry-error.ts';
import { serverContext } from '../../request/server-context.ts';
import type { RequestContext } from '../../request/request-context.ts';
import type { ResourceHandler, UpgradeHandler } from '../route.ts';
import { RequestAttributes } from './admission-attributes.ts';
import { connectOptions } from './connect-options.ts';
import { checkRouteAccept } from '../../negotiation/route-accept.ts';
import { requiredName } from './exchange.ts';
import type { RequestScope } from './request-scope.ts';
import { RequestRESTContext } from './rest-context.ts';

/** Requests that their storage answers by itself: proxy, exec, attach, port-forward, log (handlers.ConnectResource). */
export function connectHandler(scope: RequestScope): ResourceHandler {
  const connect = connectOf(scope);
  return (request, response, context) => connect(context, { kind: 'request', request, response });
}

/** The same for connections that change their protocol. */
export function connectUpgradeHandler(scope: RequestScope): UpgradeHandler {
  const connect = connectOf(scope);
  return (request, socket, head, context) =>
    connect(context, {
      kind: 'upgrade',
      request,
      socket,
      head,
      response: () => {
        const { response } = serverContext(request);
        if (response.socket === null) response.assignSocket(socket as Socket);
        return response;
      },
    });
}

function connectOf(scope: RequestScope): (context: RequestContext, exchange: ConnectExchange) => Promise<void> {
  const { storage } = scope;
  if (storage.connect === undefined) throw new RegistryError('storage cannot connect');
  const optionsOf = connectOptions(scope);
  return async (context, exchange) => {
    // A read that the router knows the types of: what the kubelet says, or an error.
    if (storage.connectIsRead === true && scope.produces !== undefined)
      checkRouteAccept(exchange.request.headers.accept, ['text/plain', ...scope.produces]);
    if (storage.connectIsRead !== true && context.query.has('dryRun')) throw badRequest('dryRun is not supported');
    const path = subpathOf(scope, context);
    const connection: Connection = {
      name: requiredName(context),
      path,
      options: optionsOf(context.query, path),
      exchange,
    };
    if (storage.connectIsRead !== true) await admitConnection(scope, context, connection);
    await storage.connect!(new RequestRESTContext(context), connection);
  };
}

async function admitConnection(
  scope: RequestScope,
  context: RequestContext,
  { name, options }: Connection,
): Promise<void> {
  const { admission } = scope;
  if (admission.empty || !admission.handles('CONNECT')) return;
  const attributes = new RequestAttributes(scope, context, {
    operation: 'CONNECT',
    namespace: context.requestInfo.namespace,
    name,
    object: options,
    oldObject: undefined,
    options: undefined,
    dryRun: false,
  });
  await admission.admit(attributes);
  await admission.validate(attributes);
}

/** What follows the resource's own path: '' or `/…`, with the trailing slash that the request had. */
function subpathOf(scope: RequestScope, { requestInfo }: RequestContext): string {
  const rest = requestInfo.parts.slice(scope.subresource === '' ? 2 : 3).join('/');
  const path = rest === '' ? '' : `/${rest}`;
  return requestInfo.path.endsWith('/') && !path.endsWith('/') ? `${path}/` : path;
}
