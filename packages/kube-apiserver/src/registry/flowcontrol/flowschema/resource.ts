import { flowSchemaStrategy, flowSchemaStatusStrategy } from './strategy.ts';
import { defaultFlowSchema } from './defaults.ts';
import { byPrecedence, printFlowSchema } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves flowschemas with status. */
export const flowSchemaResource = storedResource({
  group: 'flowcontrol.apiserver.k8s.io',
  plural: 'flowschemas',
  strategy: flowSchemaStrategy,
  status: flowSchemaStatusStrategy,
  defaults: { v1: defaultFlowSchema },
  row: printFlowSchema,
  rowOrder: byPrecedence,
});
