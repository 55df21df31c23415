import { forbidden } from '@kubechain/apimachinery';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { concerns } from './attributes.ts';

const hostname = 'kubernetes.io/hostname';

/**
 * Keeps a pod from driving others off whole zones: required anti-affinity is within a node only
 * (plugin/pkg/admission/antiaffinity, 1.36).
 */
export class LimitPodHardAntiAffinityTopology implements AdmissionPlugin {
  readonly name = 'LimitPodHardAntiAffinityTopology';

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  validate(attributes: AdmissionAttributes): void {
    if (!concerns(attributes, '', 'pods')) return;
    const { metadata, spec } = attributes.object as Pod;
    for (const { topologyKey } of spec?.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [])
      if (topologyKey !== hostname)
        throw forbidden(
          { group: '', resource: 'pods' },
          metadata?.name ?? '',
          'affinity.PodAntiAffinity.RequiredDuringScheduling has TopologyKey ' +
            `${topologyKey} but only key ${hostname} is allowed`,
        );
  }
}
