import { FieldPath, validateConditions } from '@kubechain/apimachinery';
import { storedResource } from '../../resource.ts';
import { ageOf, nameOf } from '../../table/printer.ts';
import { declaredStatusStrategy, declaredStrategy } from '../../declared-strategy.ts';
import type { CompositePodGroup } from '../scheduling-types.ts';
import { policyOf } from '../table.ts';

/** Serves compositepodgroups with status, where the feature gate CompositePodGroup is on, since 1.37. */
export const compositePodGroupResource = storedResource({
  group: 'scheduling.k8s.io',
  plural: 'compositepodgroups',
  strategy: (context) => declaredStrategy({ context, status: true }),
  status: (context) =>
    declaredStatusStrategy({
      context,
      also: ({ status }) =>
        validateConditions(
          (status as CompositePodGroup['status'])?.conditions ?? [],
          FieldPath.of('status').child('conditions'),
          context.release,
        ),
    }),
  row: (group: CompositePodGroup) => [
    nameOf(group),
    policyOf(group),
    group.spec?.workloadRef?.workloadName ?? '<none>',
    ageOf(group),
  ],
});
