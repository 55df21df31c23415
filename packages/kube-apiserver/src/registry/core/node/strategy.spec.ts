import { internalContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { nodeStatusStrategy, nodeStrategy } from './strategy.ts';

const context = internalContext({ groupResource: { group: '', resource: 'nodes' } });

describe('Nodes', () => {
  it('are registered with their status', async () => {
    const node = { spec: { configSource: {} }, status: { capacity: { cpu: '4' }, config: {} } };
    await nodeStrategy.prepareForCreate?.(node, context);
    expect(node).to.deep.equal({ spec: {}, status: { capacity: { cpu: '4' } } });
  });

  it('keep their status when the rest changes', async () => {
    const node = { spec: { unschedulable: true, configSource: {} }, status: { capacity: { cpu: '8' } } };
    await nodeStrategy.prepareForUpdate?.(node, { spec: {}, status: { capacity: { cpu: '4' } } }, context);
    expect(node).to.deep.equal({ spec: { unschedulable: true }, status: { capacity: { cpu: '4' } } });
  });

  it('take no configuration in their status', async () => {
    const node = { status: { capacity: { cpu: '8' }, config: {} } };
    await nodeStatusStrategy.prepareForUpdate?.(node, { status: {} }, context);
    expect(node).to.deep.equal({ status: { capacity: { cpu: '8' } } });
  });
});
