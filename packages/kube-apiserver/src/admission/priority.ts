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

/** Which groups of pods have priorities; the same for what is to preempt. */
export interface GroupPriorities {
  readonly podgroups: boolean;
  readonly compositepodgroups: boolean;
  readonly preemption: boolean;
  /** Those of v1alpha2 as well. */
  readonly alpha: boolean;
}

const noGroups: GroupPriorities = { podgroups: false, compositepodgroups: false, preemption: false, alpha: false };
const groupKinds = [
  ['podgroups', 'pod group'],
  ['compositepodgroups', 'composite pod group'],
] as const;

interface Prioritized {
  priority?: number;
  priorityClassName?: string;
  preemptionPolicy?: string;
}

/** Resolves the priority classes of pods, and keeps one default class (plugin/pkg/admission/priority, 1.36). */
export class Priority implements AdmissionPlugin {
  readonly name = 'Priority';
  readonly #classes: ObjectLookup;
  readonly #groups: GroupPriorities;

  constructor(classes: ObjectLookup, groups: GroupPriorities = noGroups) {
    this.#classes = classes;
    this.#groups = groups;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  admit(attributes: AdmissionAttributes): void | Promise<void> {
    if (attributes.operation === 'CREATE')
      for (const [plural, what] of groupKinds)
        if (this.#groups[plural] && concerns(attributes, 'scheduling.k8s.io', plural))
          return this.#resolveGroup(attributes, what);
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

  /** Of groups of pods. */
  async #resolveGroup(attributes: AdmissionAttributes, what: string): Promise<void> {
    const { apiVersion, spec } = attributes.object as { readonly apiVersion?: string; readonly spec?: Prioritized };
    if (spec === undefined || (apiVersion === 'scheduling.k8s.io/v1alpha2' && !this.#groups.alpha)) return;
    const { found, name } = await this.#class(attributes, spec.priorityClassName ?? '');
    const value = found.value ?? 0;
    if (spec.priority !== undefined && spec.priority !== value)
      throw admissionForbidden(
        attributes,
        `priority set in the ${what} (${spec.priority}) must match the priority computed (${value}) based on the ` +
          'priority class set in the spec',
      );
    spec.priority = value;
    if (name !== '') spec.priorityClassName = name;
    const policy = found.preemptionPolicy;
    if (!this.#groups.preemption || policy === undefined) return;
    if (spec.preemptionPolicy !== undefined && spec.preemptionPolicy !== policy)
      throw admissionForbidden(
        attributes,
        `the string value of PreemptionPolicy (${spec.preemptionPolicy}) must not be provided in ${what} spec; ` +
          `priority admission controller computed ${policy} from the given PriorityClass name`,
      );
    spec.preemptionPolicy = policy;
  }

  /** The class that is asked for, or else the default, and its name. */
  async #class(
    attributes: AdmissionAttributes,
    asked: string,
  ): Promise<{ readonly found: typeof noClass; readonly name: string }> {
    const found =
      asked === ''
        ? ((await this.#default()) ?? noClass)
        : nameIsPathSegment(asked, false).length > 0
          ? undefined
          : ((await this.#classes.get(asked)) as PriorityClass | undefined);
    if (found === undefined) throw admissionForbidden(attributes, `no PriorityClass with name ${asked} was found`);
    return { found, name: asked === '' ? (found.metadata?.name ?? '') : asked };
  }

  async #resolve(attributes: AdmissionAttributes): Promise<void> {
    const { spec } = attributes.object as Pod;
    if (spec === undefined) return;
    const { found, name } = await this.#class(attributes, spec.priorityClassName ?? '');
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
