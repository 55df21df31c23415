import { FieldPath, ipWarnings } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Ingress } from '@kubechain/apimachinery/types/networking/v1';

const ingressPath = FieldPath.of('status', 'loadBalancer', 'ingress');
const classAnnotation = 'kubernetes.io/ingress.class';

/** The class has a field of its own by now (WarningsOnCreate of pkg/registry/networking/ingress/strategy.go, 1.36). */
export function ingressWarnings(object: KubeObject): string[] {
  const { metadata, spec } = object as Ingress;
  const old = metadata?.annotations?.[classAnnotation] !== undefined && spec?.ingressClassName === undefined;
  return old ? [`annotation "${classAnnotation}" is deprecated, please use 'spec.ingressClassName' instead`] : [];
}

/** Addresses that are not written as they should be. */
export function ingressStatusWarnings(object: KubeObject): string[] {
  return ((object as Ingress).status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, i) =>
    ip ? ipWarnings(ingressPath.index(i), ip) : [],
  );
}
