import type { FlowSchema } from '@kubechain/apimachinery/types/flowcontrol/v1';

/** Defaults of flow schemas (pkg/apis/flowcontrol/v1, 1.36). */
export function defaultFlowSchema(schema: FlowSchema): void {
  (schema.spec ??= { priorityLevelConfiguration: { name: '' } }).matchingPrecedence ||= 1000;
}
