import { nameIsPathSegment } from '@kubechain/apimachinery';
import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { PriorityClass } from '@kubechain/apimachinery/types/scheduling/v1';
import { concerns } from './attributes.ts';
import type { ObjectLookup } from './object-lookup.ts';

/** What pods without a class have where no class is the default. */
const noClass: Pick<PriorityClass, 'metadata' | 'preemptionPolicy' | 'value'> = {
  metadata: {},
  value: 0,
  preemptionPolicy: 'PreemptLowerPriority',
};

/** Resolves the priority classes of pods, and keeps one default class (plugin/pkg/admission/priority, 1.36). */
export class Priority implements AdmissionPlugin {
  readonly name = 'Priority';
  readonly #classes: ObjectLookup;

  constructor(classes: ObjectLookup) {
    this.#classes = classes;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  admit(attributes: AdmissionAttributes): void | Promise<void> {
    if (!concerns(attributes, '', 'pods')) return undefined;
    if (attributes.operation === 'CREATE') return this.#resolve(attributes);
    const { spec } = attributes.object as Pod;
    const old = (attributes.oldObject as Pod).spec;
    if (spec === undefined || old === undefined) return undefined;
    if (old.priority !== undefined) spec.priority ??= old.priority;
    if (old.preemptionPolicy !== undefined) spec.preemptionPolicy ??= old.preemptionPolicy;
    return undefined;
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (!concerns(attributes, 'scheduling.k8s.io', 'priorityclasses')) return;
    const priorityClass = attributes.object as PriorityClass;
    if (priorityClass.globalDefault !== true) return;
    const name = (await this.#default())?.metadata?.name;
    if (name === undefined || (attributes.operation === 'UPDATE' && name === priorityClass.metadata?.name)) return;
    throw admissionForbidden(
      attributes,
      `PriorityClass ${name} is already marked as default. Only one default can exist`,
    );
  }

  async #resolve(attributes: AdmissionAttributes): Promise<void> {
    const { spec } = attributes.object as Pod;
    if (spec === undefined) return;
    const asked = spec.priorityClassName ?? '';
    const found =
      asked === ''
        ? ((await this.#default()) ?? noClass)
        : nameIsPathSegment(asked, false).length > 0
          ? undefined
          : ((await this.#classes.get(asked)) as PriorityClass | undefined);
    if (found === undefined) throw admissionForbidden(attributes, `no PriorityClass with name ${asked} was found`);
    const name = asked === '' ? (found.metadata?.name ?? '') : asked;
    if (name !== '') spec.priorityClassName = name;
    const value = found.value ?? 0;
    if (spec.priority !== undefined && spec.priority !== value) {
      throw admissionForbidden(
        attributes,
        `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority ` +
          `admission controller computed ${value} from the given PriorityClass name`,
      );
    }
    spec.priority = value;
    const policy = found.preemptionPolicy;
    if (policy === undefined) return;
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy) {
      throw admissionForbidden(
        attributes,
        `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in pod spec; ` +
          `priority admission controller computed ${policy} from the given PriorityClass name`,
      );
    }
    spec.preemptionPolicy = policy;
  }

  /** The default class; of several, which only a race can bring about, the lowest. */
  async #default(): Promise<PriorityClass | undefined> {
    let lowest: PriorityClass | undefined;
    for (const object of await this.#classes.list()) {
      const candidate = object as unknown as PriorityClass;
      if (candidate.globalDefault === true && (lowest === undefined || (candidate.value ?? 0) < (lowest.value ?? 0)))
        lowest = candidate;
    }
    return lowest;
  }
}
