import type { KubeObject } from '@kubechain/apimachinery';
import { internalContext } from '@kubechain/apiserver';
import { expect } from 'chai';
import { limitRangeStrategy } from './strategy.ts';

const context = internalContext({ groupResource: { group: '', resource: 'limitranges' } });

describe('LimitRanges', () => {
  it('get a name where they have none', async () => {
    const unnamed: KubeObject = { metadata: {} };
    await limitRangeStrategy.prepareForCreate?.(unnamed, context);
    expect(unnamed.metadata?.name).to.match(/^[0-9a-f-]{36}$/);
    const named: KubeObject = { metadata: { name: 'mine' } };
    await limitRangeStrategy.prepareForCreate?.(named, context);
    expect(named.metadata?.name).to.equal('mine');
  });
});
