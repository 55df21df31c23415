import { forbiddenValue, goValue } from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type { ParamKind, ParamRef } from '@kubechain/apimachinery/types/admissionregistration/v1';
import { escalationAllowed } from '@kubechain/apiserver/resources';
import type { UserInfo } from '@kubechain/apiserver/resources';
import type { RegistryContext } from '../storage-provider.ts';

/** Who may ask, and about what. */
export type RightsContext = Pick<RegistryContext, 'authorizer' | 'resourceOfKind'>;

/** What a paramKind names as far as it can be told; `*` stands for everything. */
interface ParamResource {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly failure: 'parse' | 'resolve' | undefined;
}

async function paramResource(
  { apiVersion = '', kind = '' }: ParamKind,
  { resourceOfKind }: RightsContext,
): Promise<ParamResource> {
  const parts = apiVersion.split('/');
  if (parts.length > 2) return { group: '*', version: '*', resource: '*', failure: 'parse' };
  const group = parts.length === 2 ? (parts[0] ?? '') : '',
    version = parts.at(-1) ?? '';
  const resource = await resourceOfKind({ group, version, kind });
  return { group, version, resource: resource ?? '*', failure: resource === undefined ? 'resolve' : undefined };
}

/**
 * Who writes a policy must be able to read all objects that may be its params (validatingadmissionpolicy/authz.go,
 * 1.36).
 */
export async function paramKindErrors(kind: ParamKind, user: UserInfo, context: RightsContext): Promise<FieldError[]> {
  if (escalationAllowed(user)) return [];
  const { group, resource, version } = await paramResource(kind, context);
  const { decision } = await context.authorizer.authorize({
    user,
    verb: 'get',
    resourceRequest: true,
    path: '',
    name: '*',
    namespace: '*',
    apiGroup: group,
    apiVersion: version,
    resource,
    subresource: '',
  });
  if (decision === 'Allow') return [];
  return [
    forbiddenValue(
      'spec.paramKind',
      `user ${userText(user)} must have "get" permission on all objects of the referenced paramKind ` +
        `(kind=${kind.kind ?? ''}, apiVersion=${kind.apiVersion ?? ''})`,
    ),
  ];
}

/**
 * Who writes a binding must be able to read the params that it names (validatingadmissionpolicybinding/authz.go, 1.36).
 * `policy` is undefined where there is none of that name.
 */
export async function paramRefErrors(
  { name = '', namespace = '' }: ParamRef,
  binding: {
    readonly policyName: string;
    readonly policy: { readonly paramKind: ParamKind | undefined } | undefined;
    readonly user: UserInfo;
    /** Its message names the verb where the user should stand, as the reference's does. */
    readonly isMutating: boolean;
  },
  context: RightsContext,
): Promise<FieldError[]> {
  const { isMutating, policy, policyName, user } = binding;
  if (escalationAllowed(user)) return [];
  const unknown: ParamResource = { group: '*', version: '*', resource: '*', failure: undefined };
  const { failure, group, resource, version } =
    policy?.paramKind === undefined ? unknown : await paramResource(policy.paramKind, context);
  const verb = name === '' ? 'list' : 'get';
  const { decision } = await context.authorizer.authorize({
    user,
    verb,
    resourceRequest: true,
    path: '',
    name,
    namespace,
    apiGroup: group,
    apiVersion: version,
    resource,
    subresource: '',
  });
  if (decision === 'Allow') return [];
  const lacks = `user ${userText(user)} does not have "${verb}" permission`;
  const everything = `to determine minimum required permissions and ${lacks} for all groups, versions and resources`;
  const kindText =
    `&ParamKind{APIVersion:${policy?.paramKind?.apiVersion ?? ''},` + `Kind:${policy?.paramKind?.kind ?? ''},}`;
  const why =
    policy === undefined
      ? `unable to get policy ${policyName} ${everything}`
      : failure !== undefined
        ? `unable to ${failure} paramKind ${kindText} ${everything}`
        : `${isMutating ? `user ${verb} does not have "${userText(user)}" permission` : lacks} on the object ` +
          'referenced by paramRef';
  return [forbiddenValue('spec.paramRef', why)];
}

/** A user in the words of Go's %v. */
function userText({ extra = {}, groups, name, uid = '' }: UserInfo): string {
  return `&{${name} ${uid} [${groups.join(' ')}] ${goValue(extra)}}`;
}
