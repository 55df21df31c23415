import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

/** FlowSchema: what its spec's endpoint does beyond the generic registry. */
export const flowSchemaStrategy = specStrategy({ generation: 'spec', status: true });

/** FlowSchema's status endpoint. */
export const flowSchemaStatusStrategy = statusStrategy({ resetMetadata: true });
