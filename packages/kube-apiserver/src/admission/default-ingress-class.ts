import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '@kubechain/apiserver';
import type { Ingress } from '@kubechain/apimachinery/types/networking/v1';
import { concerns } from './attributes.ts';
import { defaultClass } from './default-class.ts';
import type { ObjectLookup } from './object-lookup.ts';

const defaultAnnotations = ['ingressclass.kubernetes.io/is-default-class'] as const;
const classAnnotation = 'kubernetes.io/ingress.class';

/** Gives ingresses without a class the default one (plugin/pkg/admission/network/defaultingressclass, 1.36). */
export class DefaultIngressClass implements AdmissionPlugin {
  readonly name = 'DefaultIngressClass';
  readonly #classes: ObjectLookup;

  constructor(classes: ObjectLookup) {
    this.#classes = classes;
  }

  handles(operation: AdmissionOperation): boolean {
    return operation === 'CREATE';
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    if (!concerns(attributes, 'networking.k8s.io', 'ingresses')) return;
    const { metadata, spec } = attributes.object as Ingress;
    if (spec === undefined || spec.ingressClassName !== undefined || metadata?.annotations?.[classAnnotation] !== undefined) return;
    const name = defaultClass(await this.#classes.list(), defaultAnnotations)?.metadata?.name;
    if (name !== undefined) spec.ingressClassName = name;
  }
}
