import type { Authorizer, UserInfo } from '@kubechain/apiserver/resources';

/** What somebody does in the name of a signer. */
export interface SignerAction {
  readonly verb: 'approve' | 'sign' | 'attest';
  readonly signerName: string;
}

/** Whether somebody may, by the signer's name or for all of its domain (pkg/certauthorization, 1.36). */
export async function mayActFor(
  authorizer: Authorizer,
  user: UserInfo,
  { signerName, verb }: SignerAction,
): Promise<boolean> {
  for (const name of [signerName, `${signerName.split('/')[0] ?? ''}/*`]) {
    const { decision } = await authorizer.authorize({
      user,
      verb,
      name,
      apiGroup: 'certificates.k8s.io',
      apiVersion: '*',
      resource: 'signers',
      subresource: '',
      namespace: '',
      resourceRequest: true,
      path: '',
    });
    if (decision === 'Allow') return true;
  }
  return false;
}
