import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver/resources';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { concerns } from './attributes.ts';

export interface DefaultTolerationSecondsOptions {
  /** --default-not-ready-toleration-seconds */
  readonly notReadySeconds: number;
  /** --default-unreachable-toleration-seconds */
  readonly unreachableSeconds: number;
}

/**
 * Lets pods stay for a while on nodes that are not ready or cannot be reached
 * (plugin/pkg/admission/defaulttolerationseconds, 1.36).
 */
export class DefaultTolerationSeconds implements AdmissionPlugin {
  readonly name = 'DefaultTolerationSeconds';
  readonly #taints: readonly (readonly [key: string, seconds: number])[];

  constructor({ notReadySeconds, unreachableSeconds }: DefaultTolerationSecondsOptions) {
    this.#taints = [
      ['node.kubernetes.io/not-ready', notReadySeconds],
      ['node.kubernetes.io/unreachable', unreachableSeconds],
    ];
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE' || operation === 'UPDATE';
  }

  admit(attributes: AdmissionAttributes): void {
    if (!concerns(attributes, '', 'pods')) return;
    const { spec } = attributes.object as Pod;
    if (spec === undefined) return;
    const given = spec.tolerations ?? [];
    for (const [key, tolerationSeconds] of this.#taints) {
      const tolerated = given.some(
        (toleration) =>
          (!toleration.key || toleration.key === key) && (!toleration.effect || toleration.effect === 'NoExecute'),
      );
      if (!tolerated)
        spec.tolerations = [
          ...(spec.tolerations ?? []),
          { key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds },
        ];
    }
  }
}
