import type { Clock, KubeObject } from '@kubechain/apimachinery';
import { PRIVILEGED_GROUP } from '../authentication/well-known-users.ts';
import type { AuthorizationAttributes, AuthorizationResult, Authorizer } from '../authorization/authorizer.ts';
import type { KubeClient } from './kube-client.ts';

/** How long an answer is believed, good or bad, as the reference's extension servers do by default. */
const ttlMs = 10_000;
/** Answers kept; the oldest goes. The reference's cache has as many. */
const maxAnswers = 1_024;

const allowed: AuthorizationResult = { decision: 'Allow', reason: '' };
/** Probes come without credentials that a SubjectAccessReview could be asked about. */
const openPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/livez']);

interface SubjectAccessReview extends KubeObject {
  readonly status?: { readonly allowed?: boolean; readonly denied?: boolean; readonly reason?: string };
}

/**
 * Asks the main API server what callers may do (apiserver/pkg/authorization/authorizerfactory, 1.36): answers are kept
 * for
 * ten seconds, health endpoints are open to all, and system:masters is not asked about. A server that cannot be asked
 * allows nothing: the request fails.
 */
export function subjectAccessReviewAuthorizer(client: Pick<KubeClient, 'create'>, clock: Clock): Authorizer {
  const answers = new Map<string, { readonly result: AuthorizationResult; readonly until: number }>();
  const ask = async (key: string, attributes: AuthorizationAttributes): Promise<AuthorizationResult> => {
    const { status } = (await client.create(
      '/apis/authorization.k8s.io/v1/subjectaccessreviews',
      review(attributes),
    )) as SubjectAccessReview;
    const result: AuthorizationResult = {
      decision: status?.denied === true ? 'Deny' : status?.allowed === true ? 'Allow' : 'NoOpinion',
      reason: status?.reason ?? '',
    };
    if (answers.size >= maxAnswers)
      for (const oldest of answers.keys()) {
        answers.delete(oldest);
        break;
      }
    answers.set(key, { result, until: clock.now() + ttlMs });
    return result;
  };
  return {
    authorize(attributes) {
      if (attributes.user.groups.includes(PRIVILEGED_GROUP)) return allowed;
      if (!attributes.resourceRequest && openPaths.has(attributes.path)) return allowed;
      const key = JSON.stringify(attributes);
      const known = answers.get(key);
      if (known !== undefined && known.until > clock.now()) return known.result;
      answers.delete(key);
      return ask(key, attributes);
    },
  };
}

function review({
  apiGroup,
  apiVersion,
  name,
  namespace,
  path,
  resource,
  resourceRequest,
  subresource,
  user,
  verb,
}: AuthorizationAttributes): KubeObject {
  return {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      ...(resourceRequest
        ? { resourceAttributes: { namespace, verb, group: apiGroup, version: apiVersion, resource, subresource, name } }
        : { nonResourceAttributes: { path, verb } }),
      user: user.name,
      groups: user.groups,
      ...(user.uid === undefined ? {} : { uid: user.uid }),
      ...(user.extra === undefined ? {} : { extra: user.extra }),
    },
  };
}
