import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import { validateFlowSchema, validateFlowSchemaStatus } from './validation.ts';

/** FlowSchema: what its spec's endpoint does beyond the generic registry. */
export const flowSchemaStrategy = specStrategy({
  generation: 'spec',
  status: true,
  ...validated({ create: validateFlowSchema, update: validateFlowSchema }),
});

/** FlowSchema's status endpoint. */
export const flowSchemaStatusStrategy = statusStrategy({
  resetMetadata: 'whole',
  hooks: validated({ update: validateFlowSchemaStatus }),
});
