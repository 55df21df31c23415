import { storedResource } from '../../resource.ts';
import { ageOf, nameOf } from '../../table/printer.ts';
import { declaredStrategy } from '../../declared-strategy.ts';
import type { Workload } from '../scheduling-types.ts';
import { validated } from '../../validation/validate.ts';
import { specStrategy } from '../../spec-strategy.ts';
import { validateFormerWorkload, validateFormerWorkloadUpdate } from './former-validation.ts';
import { validateTemplates } from './validation.ts';

/** Serves workloads, where the feature gate GenericWorkload is on (pkg/registry/scheduling/workload, 1.35 to 1.37). */
export const workloadResource = storedResource({
  group: 'scheduling.k8s.io',
  plural: 'workloads',
  strategy: (context) =>
    context.release.since('1.36')
      ? declaredStrategy({
          context,
          ...(context.release.since('1.37') ? { also: (workload) => validateTemplates(workload as Workload) } : {}),
        })
      : specStrategy(validated({ create: validateFormerWorkload, update: validateFormerWorkloadUpdate })),
  row: (workload: Workload) => [nameOf(workload), ageOf(workload)],
});
