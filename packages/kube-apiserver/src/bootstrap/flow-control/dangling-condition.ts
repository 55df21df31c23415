import type { FlowSchema, FlowSchemaCondition } from '@kubechain/apimachinery/types/flowcontrol/v1';

/**
 * The Dangling condition that a schema must be given, without its time; undefined when it has it
 * (presyncFlowSchemaStatus of util/flowcontrol/apf_controller.go, 1.36).
 */
export function danglingCondition(
  schema: FlowSchema,
  levelExists: (name: string) => boolean,
): FlowSchemaCondition | undefined {
  const level = schema.spec?.priorityLevelConfiguration?.name ?? '';
  const found = levelExists(level);
  const outcome = found ? 'it exists' : 'there is no such object';
  const wanted = {
    type: 'Dangling',
    status: found ? 'False' : 'True',
    reason: found ? 'Found' : 'NotFound',
    message:
      `This FlowSchema references the PriorityLevelConfiguration object named ${JSON.stringify(level)} ` +
      `${found ? 'and' : 'but'} ${outcome}`,
  };
  const present = schema.status?.conditions?.find(({ type }) => type === 'Dangling');
  return present?.status === wanted.status && present.reason === wanted.reason && present.message === wanted.message
    ? undefined
    : wanted;
}
