import type { ReleaseAge } from '@kubechain/apimachinery';
import type { TableCell } from '@kubechain/apiserver/resources';
import { ageOf, nameOf } from '../table/printer.ts';
import type { PodGroup } from './scheduling-types.ts';

/** How a group's pods are placed. */
export function policyOf({ spec }: PodGroup): string {
  return spec?.schedulingPolicy?.gang === undefined ? 'Basic' : 'Gang';
}

/** The columns of podgroups (printPodGroup of pkg/printers/internalversion, 1.36 and 1.37). */
export function printPodGroup(group: PodGroup, release: ReleaseAge): readonly TableCell[] {
  const { spec = {}, status = {} } = group;
  const isNew = release.since('1.37');
  const find = (wanted: string): { readonly status?: string; readonly reason?: string } | undefined =>
    status.conditions?.findLast(({ type }) => type === wanted);
  const scheduled = find(isNew ? 'PodGroupInitiallyScheduled' : 'PodGroupScheduled');
  const state =
    find('DisruptionTarget')?.reason ??
    (scheduled === undefined ? 'Pending' : scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable');
  const workload = isNew ? spec.workloadRef : spec.podGroupTemplateRef?.workload;
  return [nameOf(group), policyOf(group), workload?.workloadName ?? '<none>', state, ageOf(group)];
}
