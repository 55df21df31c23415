import type { Node } from '@kubechain/apimachinery/types/core/v1';
import { internalContext } from '@kubechain/apiserver/resources';
import { noteEmptied } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { defaultNode } from './defaults.ts';
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

  it('have what they can allocate from their capacity at once', () => {
    const node = { status: { capacity: { cpu: '8' } } };
    defaultNode(node as Node);
    expect(node).to.deep.equal({ status: { capacity: { cpu: '8' }, allocatable: { cpu: '8' } } });
  });

  for (const [endpoint, strategy] of [
    ['their own endpoint', nodeStrategy],
    ['their status', nodeStatusStrategy],
  ] as const)
    it(`have it only after it is known who owns what, where it was sent to ${endpoint} without entries`, () => {
      const node = { status: { capacity: { cpu: '8' } } };
      noteEmptied(node.status, 'allocatable', 'map');
      defaultNode(node as Node);
      expect(node).to.deep.equal({ status: { capacity: { cpu: '8' } } });
      strategy.canonicalize?.(node);
      expect(node).to.deep.equal({ status: { capacity: { cpu: '8' }, allocatable: { cpu: '8' } } });
    });
});
