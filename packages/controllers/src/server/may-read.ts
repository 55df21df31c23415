import type { TokenReview } from '@kubechain/apimachinery/types/authentication/v1';
import type { SubjectAccessReview } from '@kubechain/apimachinery/types/authorization/v1';
import type { Client } from '../client/client.ts';
import { resources } from '../client/resources.ts';

/** `unknown`: nobody we know; `refused`: somebody who may not. */
export type Verdict = 'allowed' | 'refused' | 'unknown';

/** Asks the API server whether the bearer of a token may read a path (delegated authentication and authorization). */
export async function mayRead(
  client: Client,
  { path, authorization }: { readonly path: string; readonly authorization: string | undefined },
): Promise<Verdict> {
  const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
  if (token === undefined) return 'unknown';
  const { status } = await client.resource(resources.tokenreviews).create<TokenReview>({ spec: { token } });
  if (status?.authenticated !== true || status.user === undefined) return 'unknown';
  const { username: user, uid, groups, extra } = status.user;
  const review = await client.resource(resources.subjectaccessreviews).create<SubjectAccessReview>({
    spec: { user, uid, groups, extra, nonResourceAttributes: { path, verb: 'get' } },
  });
  return review.status?.allowed === true ? 'allowed' : 'refused';
}
