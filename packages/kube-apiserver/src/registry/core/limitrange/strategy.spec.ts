import type { KubeObject } from '@kubechain/apimachinery';
import { internalContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { limitRangeStrategy as strategyWith } from './strategy.ts';

const limitRangeStrategy = strategyWith(() => 'a-new-uid');
const context = internalContext({ groupResource: { group: '', resource: 'limitranges' } });

describe('LimitRanges', () => {
  it('get a name where they have none', async () => {
    const unnamed: KubeObject = { metadata: {} };
    await limitRangeStrategy.prepareForCreate?.(unnamed, context);
    expect(unnamed.metadata?.name).to.equal('a-new-uid');
    const named: KubeObject = { metadata: { name: 'mine' } };
    await limitRangeStrategy.prepareForCreate?.(named, context);
    expect(named.metadata?.name).to.equal('mine');
  });
});
