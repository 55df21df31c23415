import { zeroedField } from '../../field-readers.ts';
import { nodeProxy } from './proxy.ts';
import { nodeStatusStrategy, nodeStrategy } from './strategy.ts';
import { defaultNode } from './defaults.ts';
import { printNode } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** nodes with proxy and status. */
export const nodeResource = storedResource({
  group: '',
  plural: 'nodes',
  strategy: nodeStrategy,
  status: nodeStatusStrategy,
  defaults: { v1: defaultNode },
  row: printNode,
  fields: { 'spec.unschedulable': zeroedField('spec.unschedulable', 'false') },
  also: (store, { streaming }) => [['nodes/proxy', nodeProxy({ nodes: () => store, kubelets: streaming.kubelets })]],
});
