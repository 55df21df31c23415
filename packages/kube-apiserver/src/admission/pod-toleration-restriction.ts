import { append, messageOf, parseJSONValue, unclassifiedError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { namespaceOf } from '@kubechain/apiserver/resources';
import type {
  AdmissionAttributes,
  AdmissionOperation,
  AdmissionPlugin,
  NamespaceLister,
} from '@kubechain/apiserver/resources';
import type { Pod, Toleration } from '@kubechain/apimachinery/types/core/v1';
import { qualityOfService } from '@kubechain/component-helpers';
import { concerns } from './attributes.ts';
import { mergeTolerations } from './merge-tolerations.ts';
import { TolerationCover } from './toleration-cover.ts';

const defaultsAnnotation = 'scheduler.alpha.kubernetes.io/defaultTolerations';
const allowedAnnotation = 'scheduler.alpha.kubernetes.io/tolerationsWhitelist';
const memoryPressure: Toleration = {
  key: 'node.kubernetes.io/memory-pressure',
  operator: 'Exists',
  effect: 'NoSchedule',
};

export interface PodTolerationRestrictionOptions {
  readonly namespaces: NamespaceLister;
  /** For namespaces that name none. */
  readonly defaults?: readonly Toleration[];
  /** The same; empty allows all. */
  readonly allowed?: readonly Toleration[];
}

/**
 * Adds the tolerations of their namespace to new pods, and holds all of a pod's to what the namespace allows
 * (plugin/pkg/admission/podtolerationrestriction, 1.36).
 */
export class PodTolerationRestriction implements AdmissionPlugin {
  readonly name = 'PodTolerationRestriction';
  readonly #namespaces: NamespaceLister;
  readonly #defaults: readonly Toleration[];
  readonly #allowed: readonly Toleration[];

  constructor({ allowed = [], defaults = [], namespaces }: PodTolerationRestrictionOptions) {
    this.#namespaces = namespaces;
    this.#defaults = defaults;
    this.#allowed = allowed;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    if (!concerns(attributes, '', 'pods')) return;
    const pod = attributes.object as Pod;
    if (pod.spec === undefined) return;
    const added: Toleration[] = [];
    if (attributes.operation === 'CREATE')
      append(added, (await this.#annotated(attributes, defaultsAnnotation)) ?? this.#defaults);
    if (qualityOfService(pod as KubeObject) !== 'BestEffort') added.push(memoryPressure);
    if (added.length > 0) pod.spec.tolerations = mergeTolerations(pod.spec.tolerations ?? [], added);
    await this.validate(attributes);
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    if (!concerns(attributes, '', 'pods')) return;
    const tolerations = (attributes.object as Pod).spec?.tolerations ?? [];
    if (tolerations.length === 0) return;
    const ofNamespace = await this.#annotated(attributes, allowedAnnotation);
    const allowed = ofNamespace ?? this.#allowed;
    if (allowed.length === 0) return;
    const cover = new TolerationCover(allowed);
    if (!tolerations.every((toleration) => cover.covers(toleration)))
      throw unclassifiedError(
        'pod tolerations (possibly merged with namespace default tolerations) conflict with its ' +
          `${ofNamespace === undefined ? 'cluster' : 'namespace'} whitelist`,
      );
  }

  /** Undefined where the namespace says nothing. @throws StatusError for what is no list of tolerations */
  async #annotated(attributes: AdmissionAttributes, annotation: string): Promise<readonly Toleration[] | undefined> {
    const { metadata } = await namespaceOf(this.#namespaces, attributes);
    const text = metadata?.annotations?.[annotation];
    if (text === undefined) return undefined;
    if (text === '') return [];
    let list: unknown;
    try {
      list = parseJSONValue(Buffer.from(text)).value;
    } catch (error) {
      throw unclassifiedError(messageOf(error));
    }
    if (list === null) return [];
    if (!Array.isArray(list))
      throw unclassifiedError(`json: cannot unmarshal ${kindOf(list)} into Go value of type []v1.Toleration`);
    return list as readonly Toleration[];
  }
}

/** As encoding/json calls it. */
function kindOf(value: unknown): string {
  return typeof value === 'boolean' ? 'bool' : typeof value;
}
