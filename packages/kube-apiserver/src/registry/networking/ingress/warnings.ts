import type { KubeObject } from '@kubechain/apimachinery';
import type { Ingress } from '@kubechain/apimachinery/types/networking/v1';

const classAnnotation = 'kubernetes.io/ingress.class';

/** The class has a field of its own by now (WarningsOnCreate of pkg/registry/networking/ingress/strategy.go, 1.36). */
export function ingressWarnings(object: KubeObject): string[] {
  const { metadata, spec } = object as Ingress;
  const old = metadata?.annotations?.[classAnnotation] !== undefined && spec?.ingressClassName === undefined;
  return old ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`] : [];
}
