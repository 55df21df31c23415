import { addFinalizer, ensureMeta } from '@kubechain/apimachinery';
import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { PodGroup, Workload } from '../registry/scheduling/scheduling-types.ts';
import { concerns } from './attributes.ts';
import type { ObjectLookup } from './object-lookup.ts';

/** Keeps groups while they have pods (plugin/pkg/admission/scheduling/podgroupprotection, 1.36). */
export class PodGroupProtection implements AdmissionPlugin {
  readonly name = 'PodGroupProtection';

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE';
  }

  admit(attributes: AdmissionAttributes): void {
    const { object } = attributes;
    if (concerns(attributes, 'scheduling.k8s.io', 'podgroups') && object !== undefined)
      addFinalizer(ensureMeta(object), 'scheduling.k8s.io/podgroup-protection');
  }
}

/** Refuses groups of workloads that there are not (plugin/pkg/admission/podgroup, 1.36; 1.37 has it no more). */
export class PodGroupWorkloadExists implements AdmissionPlugin {
  readonly name = 'PodGroupWorkloadExists';
  readonly #workloads: ObjectLookup;

  constructor(workloads: ObjectLookup) {
    this.#workloads = workloads;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE';
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (!concerns(attributes, 'scheduling.k8s.io', 'podgroups')) return;
    const { podGroupTemplateName = '', workloadName = '' } =
      (attributes.object as PodGroup).spec?.podGroupTemplateRef?.workload ?? {};
    if (workloadName === '') return;
    const rejected = (why: string): Error => admissionForbidden(attributes, `PodGroup rejected: ${why}`);
    const workload = (await this.#workloads.get(workloadName, attributes.namespace)) as Workload | undefined;
    if (workload === undefined) throw rejected(`Workload "${workloadName}" not found`);
    if (workload.metadata?.deletionTimestamp !== undefined)
      throw rejected(`Workload "${workloadName}" is being deleted`);
    if (!(workload.spec?.podGroupTemplates ?? []).some(({ name }) => name === podGroupTemplateName))
      throw rejected(`PodGroupTemplate "${podGroupTemplateName}" not found in Workload "${workloadName}"`);
  }
}
