import type { IngressClass } from '@kubechain/apimachinery/types/networking/v1';

/** Defaults of ingress classes (pkg/apis/networking/v1, 1.36). */
export function defaultIngressClass(ingressClass: IngressClass): void {
  const parameters = ingressClass.spec?.parameters;
  if (parameters !== undefined) parameters.scope ??= 'Cluster';
}
