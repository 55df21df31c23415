import { nameIsDNSLabel } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { StatefulSet } from '@kubechain/apimachinery/types/apps/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { forgiving } from '../../core/pod/validation/kept-mistakes.ts';
import { validated } from '../../validation/validate.ts';
import { statefulSetUpdateWarnings, statefulSetWarnings } from './warnings.ts';
import { validateStatefulSet, validateStatefulSetStatus, validateStatefulSetUpdate } from './validation.ts';

/** StatefulSet: what its spec's endpoint does beyond the generic registry. */
export function statefulSetStrategy(capabilities: Capabilities): Strategy {
  const countsMissing = capabilities.enabled('MaxUnavailableStatefulSet');
  return specStrategy({
    pods: { capabilities, template: (set) => (set as StatefulSet).spec?.template },
    generation: 'spec',
    status: true,
    validateName: nameIsDNSLabel,
    prepareForCreate: (set) => {
      if (!countsMissing) dropMaxUnavailable(set as StatefulSet);
    },
    prepareForUpdate(set, old) {
      if (!countsMissing) dropMaxUnavailable(set as StatefulSet, old as StatefulSet);
      keepNoServiceName(set, old);
    },
    ...validated<StatefulSet>({
      create: (object) => validateStatefulSet(object, capabilities),
      update: (object, old) =>
        forgiving(capabilities, old.spec?.template, (lenient) => validateStatefulSetUpdate(object, old, lenient)),
    }),
    warningsOnCreate: (set) => statefulSetWarnings(set as StatefulSet),
    warningsOnUpdate: (set, old) => statefulSetUpdateWarnings(set as StatefulSet, old as StatefulSet),
  });
}

/** StatefulSet's status endpoint. */
export const statefulSetStatusStrategy = statusStrategy({ hooks: validated({ update: validateStatefulSetStatus }) });

/** How many pods may be missing goes while MaxUnavailableStatefulSet is off, but stays where it is. */
function dropMaxUnavailable({ spec }: StatefulSet, old?: StatefulSet): void {
  if (old?.spec?.updateStrategy?.rollingUpdate?.maxUnavailable === undefined)
    delete spec?.updateStrategy?.rollingUpdate?.maxUnavailable;
}

/** Stored sets always have a service name, if an empty one; leaving it out then changes nothing. */
function keepNoServiceName(set: KubeObject, old: KubeObject): void {
  const spec = set['spec'] as { serviceName?: string } | undefined;
  if (
    spec !== undefined &&
    spec.serviceName === undefined &&
    (old['spec'] as { serviceName?: string } | undefined)?.serviceName === ''
  )
    spec.serviceName = '';
}
