import type { FlowSchema, PriorityLevelConfiguration } from '@kubechain/apimachinery/types/flowcontrol/v1';
import { compareText } from '@kubechain/apimachinery';
import { none } from '../table/cells.ts';
import { ageOf, nameOf } from '../table/printer.ts';
import type { Printer } from '../table/printer.ts';

/** Row of FlowSchema (pkg/printers/internalversion, 1.36). */
export const printFlowSchema: Printer<FlowSchema> = (schema) => [
  nameOf(schema),
  schema.spec?.priorityLevelConfiguration?.name ?? '',
  schema.spec?.matchingPrecedence ?? 0,
  schema.spec?.distinguisherMethod?.type ?? none,
  ageOf(schema),
  schema.status?.conditions?.find((condition) => condition.type === 'Dangling')?.status ?? '?',
];

/** In the order in which requests are matched (apihelpers.FlowSchemaSequence, 1.36). */
export function byPrecedence(a: FlowSchema, b: FlowSchema): number {
  const precedence = (a.spec?.matchingPrecedence ?? 0) - (b.spec?.matchingPrecedence ?? 0);
  return precedence !== 0 ? precedence : compareText(nameOf(a), nameOf(b));
}

/** Row of PriorityLevelConfiguration (pkg/printers/internalversion, 1.36). */
export const printPriorityLevel: Printer<PriorityLevelConfiguration> = (level) => {
  const limited = level.spec?.limited;
  const queuing = limited?.limitResponse?.queuing;
  const queue = (value: number | undefined): string | number => (queuing === undefined ? none : (value ?? 0));
  return [
    nameOf(level),
    level.spec?.type ?? '',
    limited === undefined ? none : (limited.nominalConcurrencyShares ?? null),
    queue(queuing?.queues),
    queue(queuing?.handSize),
    queue(queuing?.queueLengthLimit),
    ageOf(level),
  ];
};
