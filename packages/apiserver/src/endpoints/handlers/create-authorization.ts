import type { KubeObject } from '@kubechain/apimachinery';
import { forbiddenError } from '../../authorization/forbidden.ts';
import type { RequestContext } from '../../request/request-context.ts';
import type { RequestScope } from './request-scope.ts';

/**
 * For updates and applies that create: the caller must be allowed to create as well (handlers.withAuthorization). Asks
 * once, on the first object; then the validation goes on.
 */
export function withCreateAuthorization(
  scope: RequestScope,
  context: RequestContext,
  validate: (object: KubeObject) => void | Promise<void>,
): (object: KubeObject) => Promise<void> {
  let allowed = false;
  return async (object) => {
    if (!allowed) {
      const { namespace, name, path } = context.requestInfo;
      const attributes = {
        user: context.user,
        verb: 'create',
        resourceRequest: true,
        path,
        namespace,
        name,
        apiGroup: scope.resource.group,
        apiVersion: scope.resource.version,
        resource: scope.resource.resource,
        subresource: scope.subresource,
      };
      const result = await scope.authorizer.authorize(attributes);
      if (result.decision !== 'Allow') throw forbiddenError(attributes, result.reason);
      allowed = true;
    }
    await validate(object);
  };
}
