import { defaultTable } from '@kubechain/apiserver';
import type { TableColumnDefinition, TableConvertor } from '@kubechain/apiserver';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { RuntimeClass } from '@kubechain/apimachinery/types/node/v1';
import type { PodDisruptionBudget } from '@kubechain/apimachinery/types/policy/v1';
import type { PriorityClass } from '@kubechain/apimachinery/types/scheduling/v1';
import columnsByKind from '../generated/table-columns.json' with { type: 'json' };
import { admissionregistrationPrinters } from '../admissionregistration/table.ts';
import { appsPrinters } from '../apps/table.ts';
import { autoscalingPrinters } from '../autoscaling/table.ts';
import { batchPrinters } from '../batch/table.ts';
import { certificatesPrinters } from '../certificates/table.ts';
import { printPod } from '../core/pod/table.ts';
import { corePrinters } from '../core/table.ts';
import { flowcontrolPrinters } from '../flowcontrol/table.ts';
import { networkingPrinters } from '../networking/table.ts';
import { rbacPrinters } from '../rbac/table.ts';
import { resourcePrinters } from '../resource/table.ts';
import { storagePrinters } from '../storage/table.ts';
import { ageOf, nameOf, printer } from './printer.ts';
import type { Printers } from './printer.ts';

const printers: Printers = new Map([
  ['Pod', (object: KubeObject) => printPod(object as Pod)],
  ...corePrinters,
  ...appsPrinters,
  ...batchPrinters,
  ...autoscalingPrinters,
  ...networkingPrinters,
  ...storagePrinters,
  ...rbacPrinters,
  ...admissionregistrationPrinters,
  ...certificatesPrinters,
  ...flowcontrolPrinters,
  ...resourcePrinters,
  printer<Lease>('Lease', (lease) => [nameOf(lease), lease.spec?.holderIdentity ?? '', ageOf(lease)]),
  printer<RuntimeClass>('RuntimeClass', (runtimeClass) => [
    nameOf(runtimeClass),
    runtimeClass.handler ?? '',
    ageOf(runtimeClass),
  ]),
  printer<PriorityClass>('PriorityClass', (priority) => [
    nameOf(priority),
    priority.value ?? 0,
    priority.globalDefault ?? false,
    ageOf(priority),
    priority.preemptionPolicy ?? '',
  ]),
  printer<PodDisruptionBudget>('PodDisruptionBudget', (budget) => [
    nameOf(budget),
    String(budget.spec?.minAvailable ?? 'N/A'),
    String(budget.spec?.maxUnavailable ?? 'N/A'),
    budget.status?.disruptionsAllowed ?? 0,
    ageOf(budget),
  ]),
]);
const definitions = new Map<string, readonly TableColumnDefinition[]>(Object.entries(columnsByKind));

/**
 * How objects of a built-in kind print: the reference's columns and cells, or name and creation time for kinds that
 * it prints so (roles, limit ranges, storage capacities). Objects are in the resource's memory version.
 */
export function builtInTable(kind: string): TableConvertor {
  const row = printers.get(kind);
  const columns = definitions.get(kind);
  return row === undefined || columns === undefined ? defaultTable : { columns, row };
}
