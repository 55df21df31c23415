import { storedResource } from '../../resource.ts';
import { ageOf, nameOf } from '../../table/printer.ts';
import { declaredStrategy } from '../declared-strategy.ts';
import type { Workload } from '../scheduling-types.ts';
import { validateTemplates } from './validation.ts';

/** Serves workloads, where the feature gate GenericWorkload is on (pkg/registry/scheduling/workload, 1.36 and 1.37). */
export const workloadResource = storedResource({
  group: 'scheduling.k8s.io',
  plural: 'workloads',
  strategy: (context) =>
    declaredStrategy({
      context,
      ...(context.release.since('1.37') ? { also: (workload) => validateTemplates(workload as Workload) } : {}),
    }),
  row: (workload: Workload) => [nameOf(workload), ageOf(workload)],
});
