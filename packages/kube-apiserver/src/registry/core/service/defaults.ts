import type { Service, ServiceSpec } from '@kubechain/apimachinery/types/core/v1';

/** Seconds that a client stays with one endpoint unless the service says otherwise: three hours. */
const affinitySeconds = 10_800;

/** Defaults of services (SetDefaults_Service of pkg/apis/core/v1, 1.36). */
export function defaultService(service: Service): void {
  const spec = (service.spec ??= {});
  defaultAffinity(spec);
  spec.type ||= 'ClusterIP';
  if (spec.ports !== undefined) {
    for (const port of spec.ports) {
      port.protocol ||= 'TCP';
      port.targetPort ||= port.port;
    }
  }
  if (isExternallyAccessible(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (spec.type === 'NodePort' || spec.type === 'LoadBalancer' || spec.type === 'ClusterIP')
    spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type !== 'LoadBalancer') return;
  spec.allocateLoadBalancerNodePorts ??= true;
  for (const ingress of service.status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP';
}

function defaultAffinity(spec: ServiceSpec): void {
  spec.sessionAffinity ||= 'None';
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  else if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: affinitySeconds } };
  }
}

/** Whether traffic may come in from outside the cluster. */
export function isExternallyAccessible(spec: ServiceSpec): boolean {
  return (
    spec.type === 'LoadBalancer' ||
    spec.type === 'NodePort' ||
    (spec.type === 'ClusterIP' && (spec.externalIPs?.length ?? 0) > 0)
  );
}
