import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from '../authorization/authorizer.ts';
import type { UserInfo } from '../authentication/authenticator.ts';
import type { RequestInfo } from '../endpoints/request-context.ts';
import { forbiddenStatus } from '../endpoints/responses/forbidden.ts';
import { writeError } from '../endpoints/responses/write-status.ts';
import { writeTextError } from '../endpoints/responses/write-text.ts';
import { Logger } from '../logging/logger.ts';
import type { Filter, Handler } from './filter.ts';
import { recoverFromPanic } from './panic-recovery.ts';
import { serverContext } from './server-context.ts';

const log = new Logger('authorization');

/** What an authorizer is asked about a request (filters.GetAuthorizerAttributes). */
export function authorizationAttributes(user: UserInfo, info: RequestInfo): AuthorizationAttributes {
  return new RequestAttributes(user, info);
}

/** A class for one shape of object, with and without selectors. */
class RequestAttributes implements AuthorizationAttributes {
  readonly user: UserInfo;
  readonly verb: string;
  readonly resourceRequest: boolean;
  readonly path: string;
  readonly namespace: string;
  readonly apiGroup: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly subresource: string;
  readonly name: string;
  declare readonly fieldSelector?: string;
  declare readonly labelSelector?: string;
  constructor(user: UserInfo, info: RequestInfo) {
    this.user = user;
    this.verb = info.verb;
    this.resourceRequest = info.isResourceRequest;
    this.path = info.path;
    this.namespace = info.namespace;
    this.apiGroup = info.apiGroup;
    this.apiVersion = info.apiVersion;
    this.resource = info.resource;
    this.subresource = info.subresource;
    this.name = info.name;
    if (info.fieldSelector !== undefined) this.fieldSelector = info.fieldSelector;
    if (info.labelSelector !== undefined) this.labelSelector = info.labelSelector;
  }
}

/** Lets a request through when the authorizer allows it; 403 otherwise. Synchronous when the authorizer is. */
export function authorization(authorizer: Authorizer): Filter {
  return (request, response, next) => {
    const context = serverContext(request);
    const attributes = authorizationAttributes(context.user, context.requestInfo);
    const result = authorizer.authorize(attributes);
    if (result instanceof Promise) {
      result.then((decided) => { decide(request, response, { attributes, result: decided, next }); }, (error: unknown) => {
        log.error('Authorization error', error, { auditID: context.auditID });
        writeTextError(response, 500, 'Internal Server Error');
      }).catch((error: unknown) => { recoverFromPanic(request, response, error); });
    } else {
      decide(request, response, { attributes, result, next });
    }
  };
}

function decide(request: IncomingMessage, response: ServerResponse, options: { readonly attributes: AuthorizationAttributes; readonly result: AuthorizationResult; readonly next: Handler }): void {
  const { attributes, result, next } = options;
  if (result.decision === 'Allow') {
    next(request, response);
    return;
  }
  if (log.enabled(4)) log.info('Forbidden', { URI: request.url, auditID: serverContext(request).auditID, reason: result.reason }, 4);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  writeError(request, response, forbiddenStatus(attributes, result.reason));
}
