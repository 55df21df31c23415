import { compareText } from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { Pod, Toleration } from '@kubechain/apimachinery/types/core/v1';
import { isExtendedResource } from '../registry/core/resource-name.ts';
import { semanticEqual } from '../registry/semantic-equal.ts';
import { concerns } from './attributes.ts';

/**
 * Lets pods onto nodes that are kept for the extended resources which they ask for
 * (plugin/pkg/admission/extendedresourcetoleration, 1.36).
 */
export class ExtendedResourceToleration implements AdmissionPlugin {
  readonly name = 'ExtendedResourceToleration';

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  admit(attributes: AdmissionAttributes): void {
    if (!concerns(attributes, '', 'pods')) return;
    const { spec } = attributes.object as Pod;
    if (spec === undefined) return;
    const asked = [...spec.containers, ...(spec.initContainers ?? [])]
      .flatMap(({ resources }) => Object.keys(resources?.requests ?? {}))
      .filter(isExtendedResource);
    for (const key of [...new Set(asked)].toSorted(compareText))
      spec.tolerations = withToleration(spec.tolerations ?? [], { key, operator: 'Exists', effect: 'NoSchedule' });
  }
}

/** One that is for the same taint is replaced where it stands (AddOrUpdateTolerationInPod). */
function withToleration(tolerations: readonly Toleration[], added: Toleration): Toleration[] {
  let found = false;
  const result = tolerations.map((toleration) => {
    const same =
      toleration.key === added.key &&
      toleration.effect === added.effect &&
      toleration.operator === added.operator &&
      (toleration.value ?? '') === (added.value ?? '');
    if (!same) return toleration;
    found = true;
    return semanticEqual(toleration, added) ? toleration : added;
  });
  return found ? result : [...result, added];
}
