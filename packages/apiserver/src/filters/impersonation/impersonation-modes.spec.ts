import { expect } from 'chai';
import type { AuthorizationAttributes, Authorizer } from '../../authorization/authorizer.ts';
import type { WantedUser } from './impersonation-headers.ts';
import { ImpersonationModes } from './impersonation-modes.ts';

describe('the verb that allows impersonation', () => {
  const attributes: AuthorizationAttributes = {
    user: { name: 'admin', groups: ['system:authenticated'] },
    verb: 'get',
    namespace: '',
    apiGroup: '',
    apiVersion: 'v1',
    resource: 'pods',
    subresource: '',
    name: '',
    resourceRequest: true,
    path: '',
  };
  const bob: WantedUser = { name: 'bob', uid: '', groups: [], extra: new Map() };
  const constraintOf = async (allowed: (verb: string) => boolean): Promise<string | undefined> => {
    const authorizer: Authorizer = {
      authorize: ({ verb }) => ({ decision: allowed(verb) ? 'Allow' : 'NoOpinion', reason: '' }),
    };
    return (await new ImpersonationModes(authorizer).impersonate(bob, attributes)).constraint;
  };

  it('is told where it is a constrained one', async () => {
    expect(await constraintOf(() => true)).to.equal('impersonate:user-info');
    expect(await constraintOf((verb) => verb === 'impersonate')).to.equal(undefined);
  });
});
