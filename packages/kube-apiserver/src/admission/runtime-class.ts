import { Quantity, goQuote, isGiven } from '@kubechain/apimachinery';
import { admissionForbidden } from '@kubechain/apiserver/resources';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { RuntimeClass as RuntimeClassObject } from '@kubechain/apimachinery/types/node/v1';
import type { ResourceList } from '../registry/core/resource-list.ts';
import { concerns } from './attributes.ts';
import { mergeTolerations } from './merge-tolerations.ts';
import type { ObjectLookup } from './object-lookup.ts';

/** Gives pods the overhead and the scheduling of their runtime class (plugin/pkg/admission/runtimeclass, 1.36). */
export class RuntimeClass implements AdmissionPlugin {
  readonly name = 'RuntimeClass';
  readonly #classes: ObjectLookup;

  constructor(classes: ObjectLookup) {
    this.#classes = classes;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE';
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    if (!concerns(attributes, '', 'pods')) return;
    const { spec } = attributes.object as Pod;
    const runtimeClass = await this.#classOf(attributes);
    if (spec === undefined || runtimeClass === undefined) return;
    const { overhead, scheduling } = runtimeClass;
    if (overhead !== undefined) {
      if (Object.keys(spec.overhead ?? {}).length > 0 && !sameAmounts(overhead.podFixed, spec.overhead))
        throw admissionForbidden(
          attributes,
          "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
        );
      if (overhead.podFixed !== undefined) spec.overhead = { ...overhead.podFixed };
    }
    if (scheduling === undefined) return;
    const selector = { ...spec.nodeSelector };
    for (const [key, value] of Object.entries(scheduling.nodeSelector ?? {})) {
      const own = selector[key];
      if (own !== undefined && own !== value)
        throw admissionForbidden(
          attributes,
          `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${value}; pod.spec.nodeSelector[${key}] = ${own}`,
        );
      selector[key] = value;
    }
    if (Object.keys(selector).length > 0) spec.nodeSelector = selector;
    const tolerations = mergeTolerations(spec.tolerations ?? [], scheduling.tolerations ?? []);
    if (tolerations.length > 0) spec.tolerations = tolerations;
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (!concerns(attributes, '', 'pods')) return;
    const { spec } = attributes.object as Pod;
    const defined = (await this.#classOf(attributes))?.overhead;
    if (defined === undefined) {
      if (isGiven(spec, 'overhead'))
        throw admissionForbidden(
          attributes,
          'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead',
        );
    } else if (!sameAmounts(defined.podFixed, spec?.overhead))
      throw admissionForbidden(
        attributes,
        "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead",
      );
  }

  async #classOf(attributes: AdmissionAttributes): Promise<RuntimeClassObject | undefined> {
    const name = (attributes.object as Pod).spec?.runtimeClassName;
    if (name === undefined) return undefined;
    const found = await this.#classes.get(name);
    if (found === undefined)
      throw admissionForbidden(attributes, `pod rejected: RuntimeClass ${goQuote(name)} not found`);
    return found as unknown as RuntimeClassObject;
  }
}

function sameAmounts(a: ResourceList = {}, b: ResourceList = {}): boolean {
  const names = Object.keys(a);
  return (
    names.length === Object.keys(b).length &&
    names.every((name) => b[name] !== undefined && Quantity.parse(a[name] ?? '').equals(Quantity.parse(b[name])))
  );
}
