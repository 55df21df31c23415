import { internalContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { serviceAccountStrategy } from './strategy.ts';

const context = internalContext({ groupResource: { group: '', resource: 'serviceaccounts' } });

describe('ServiceAccounts', () => {
  it('keep the names of their secrets and nothing else of them', async () => {
    const created = { secrets: [{ name: 'a', namespace: 'b', kind: 'Secret' }, {}] };
    await serviceAccountStrategy.prepareForCreate?.(created, context);
    expect(created).to.deep.equal({ secrets: [{ name: 'a' }, {}] });
    const updated = { secrets: [{ name: 'a', uid: 'x' }] };
    await serviceAccountStrategy.prepareForUpdate?.(updated, created, context);
    expect(updated).to.deep.equal({ secrets: [{ name: 'a' }] });
  });
});
