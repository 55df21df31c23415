import { FieldPath, invalidValue, validateConditions } from '@kubechain/apimachinery';
import type { FieldError, ReleaseAge } from '@kubechain/apimachinery';
import { storedResource } from '../../resource.ts';
import type { DefaultsSetting } from '../../resource.ts';
import { declaredStatusStrategy, declaredStrategy } from '../../declared-strategy.ts';
import type { PodGroup } from '../scheduling-types.ts';
import { printPodGroup } from '../table.ts';

const statusPath = FieldPath.of('status');

/** Serves podgroups with status, where the feature gate GenericWorkload is on (pkg/registry/scheduling/podgroup). */
export const podGroupResource = storedResource({
  group: 'scheduling.k8s.io',
  plural: 'podgroups',
  strategy: (context) => declaredStrategy({ context, status: true }),
  status: (context) =>
    declaredStatusStrategy({ context, also: (group) => validateStatus(group as PodGroup, context.release) }),
  defaults: ({ capabilities }: DefaultsSetting) => {
    const apply = ({ spec }: PodGroup): void => {
      if (spec === undefined) return;
      if (capabilities.enabled('PodGroupPreemptionPolicy')) spec.preemptionPolicy ??= 'PreemptLowerPriority';
      spec.disruptionMode ??= { single: {} };
    };
    return { v1beta1: apply, v1alpha3: apply };
  },
  row: printPodGroup,
});

/** Conditions, and claims that the group has (ValidatePodGroupStatusUpdate of pkg/apis/scheduling/validation). */
function validateStatus({ spec = {}, status = {} }: PodGroup, release: ReleaseAge): FieldError[] {
  const claims = new Set((spec.resourceClaims ?? []).map(({ name = '' }) => name));
  return [
    ...validateConditions(status.conditions ?? [], statusPath.child('conditions'), release),
    ...(status.resourceClaimStatuses ?? []).flatMap(({ name = '' }, i) =>
      claims.has(name)
        ? []
        : [
            invalidValue(
              statusPath.child('resourceClaimStatuses').index(i).child('name'),
              name,
              'must match the name of an entry in `spec.resourceClaims`',
            ),
          ],
    ),
  ];
}
