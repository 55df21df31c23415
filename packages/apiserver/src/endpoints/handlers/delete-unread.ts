import { internalError, invalid, invalidValue, messageOf } from '@kubechain/apimachinery';
import type { KubeObject, StatusError } from '@kubechain/apimachinery';
import { admissionForbidden } from '../../admission/admission-error.ts';
import type { RequestContext } from '../../request/request-context.ts';
import { ignoreReadErrors } from './parameters/delete-options.ts';
import { RequestAttributes } from './admission-attributes.ts';
import type { RequestScope } from './request-scope.ts';
import { RequestRESTContext } from './rest-context.ts';

const verb = 'unsafe-delete-ignore-read-errors';

/**
 * DELETE of an object that cannot be read, for callers that may do so (handlers/delete.go authorizeUnsafeDelete).
 * @throws StatusError Forbidden, Invalid, InternalError where the storage cannot
 */
export async function deleteUnread(
  scope: RequestScope,
  context: RequestContext,
  { name, options, dryRun }: { readonly name: string; readonly options: KubeObject; readonly dryRun: boolean },
): Promise<void> {
  // Also attempts are to be found in the audit log.
  context.addAuditAnnotation('apiserver.k8s.io/unsafe-delete-ignore-read-error', '');
  const { storage } = scope;
  if (storage.deleteCorrupt === undefined)
    throw internalError(`no unsafe deleter provided, can not honor ${ignoreReadErrors}`);
  await authorize(scope, context, { name, options });
  await storage.deleteCorrupt(new RequestRESTContext(context), name, { dryRun });
}

async function authorize(
  scope: RequestScope,
  context: RequestContext,
  { name, options }: { readonly name: string; readonly options: KubeObject },
): Promise<void> {
  const { namespace, path } = context.requestInfo;
  const { group, resource, version } = scope.resource;
  const refuse = (reason: string): StatusError =>
    admissionForbidden(
      new RequestAttributes(scope, context, {
        operation: 'DELETE',
        namespace,
        name,
        object: undefined,
        oldObject: undefined,
        options,
        dryRun: false,
      }),
      reason,
    );
  if (scope.subresource !== '')
    throw refuse(`${ignoreReadErrors} delete option is not allowed on a subresource or non-resource request`);
  let decision;
  try {
    decision = await scope.authorizer.authorize({
      user: context.user,
      verb,
      resourceRequest: true,
      path,
      namespace,
      name,
      apiGroup: group,
      apiVersion: version,
      resource,
      subresource: '',
    });
  } catch (error) {
    throw refuse(`error while checking permission for "${verb}", ${messageOf(error)}`);
  }
  if (decision.decision !== 'Allow') throw refuse(`not permitted to do "${verb}", reason: ${decision.reason}`);
}

/** The answer to a DELETE of a collection with this option. */
export function unsafeCollection(): StatusError {
  return invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', [
    invalidValue(ignoreReadErrors, true, 'is not allowed with DELETECOLLECTION, try again after removing the option'),
  ]);
}
