import { FieldPath, ipWarnings, nameIsDNS1035Label, nameIsDNSLabel } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { validated } from '../../validation/validate.ts';
import {
  mayHaveNodePorts,
  needsClusterIP,
  needsHealthCheckPort,
  nodePortsOf,
  sameClusterIPs,
  sameList,
  specOf,
} from '../../service-allocation/service-view.ts';
import { isExternallyAccessible } from './defaults.ts';
import { validateService, validateServiceStatus, validateServiceUpdate } from './validation.ts';
import { serviceWarnings } from './warnings.ts';

/** Service: what its spec's endpoint does beyond the generic registry (pkg/registry/core/service/strategy.go, 1.36). */
export const serviceStrategy = ({ enabled, since }: Capabilities): Strategy =>
  specStrategy({
    status: true,
    allowCreateOnUpdate: true,
    validateName: enabled('RelaxedServiceNameValidation') ? nameIsDNSLabel : nameIsDNS1035Label,
    ...validated<Service>({ create: (service) => validateService(service), update: validateServiceUpdate }),
    warningsOnCreate: (service) => serviceWarnings(service as Service, since),
    warningsOnUpdate: (service) => serviceWarnings(service as Service, since),
    prepareForUpdate(service, old) {
      dropForeignFields(service as Service, old as Service);
    },
    canonicalize: dropInternalTrafficPolicy,
  });

const ingressPath = FieldPath.of('status', 'loadBalancer', 'ingress');

/** Service's status endpoint. */
export const serviceStatusStrategy: Strategy = statusStrategy({
  hooks: {
    ...validated({ update: validateServiceStatus }),
    warningsOnUpdate: (service) =>
      ((service as Service).status?.loadBalancer?.ingress ?? []).flatMap(({ ip }, i) =>
        ip ? ipWarnings(ingressPath.index(i), ip) : [],
      ),
  },
});

/** Stored objects of this type may have it, but nobody gets to see it. */
function dropInternalTrafficPolicy(service: KubeObject): void {
  const { spec } = service as Service;
  if (spec?.type === 'ExternalName') delete spec.internalTrafficPolicy;
}

/**
 * A change of type takes away what only the old type has, if the client left it as it was: the server may have set
 * it. A client that changes such a field as well is told by validation (dropTypeDependentFields).
 */
function dropForeignFields(service: Service, old: Service): void {
  const spec = specOf(service);
  const before = specOf(old);
  if (needsClusterIP(old) && !needsClusterIP(service)) {
    if (sameClusterIPs(old, service)) {
      delete spec.clusterIP;
      delete spec.clusterIPs;
    }
    if (sameList(spec.ipFamilies, before.ipFamilies)) delete spec.ipFamilies;
    if (spec.ipFamilyPolicy === before.ipFamilyPolicy) delete spec.ipFamilyPolicy;
  }
  const oldPorts = new Set(nodePortsOf(old));
  if (mayHaveNodePorts(old) && !mayHaveNodePorts(service) && nodePortsOf(service).every((port) => oldPorts.has(port)))
    for (const port of spec.ports ?? []) delete port.nodePort;
  if (
    needsHealthCheckPort(old) &&
    !needsHealthCheckPort(service) &&
    spec.healthCheckNodePort === before.healthCheckNodePort
  )
    delete spec.healthCheckNodePort;
  if (before.type === 'LoadBalancer' && spec.type !== 'LoadBalancer') {
    if (spec.allocateLoadBalancerNodePorts === before.allocateLoadBalancerNodePorts)
      delete spec.allocateLoadBalancerNodePorts;
    if (spec.loadBalancerClass === before.loadBalancerClass) delete spec.loadBalancerClass;
  }
  if (
    isExternallyAccessible(before) &&
    !isExternallyAccessible(spec) &&
    spec.externalTrafficPolicy === before.externalTrafficPolicy
  )
    delete spec.externalTrafficPolicy;
  if (spec.type !== 'LoadBalancer' && service.status !== undefined)
    service.status = { ...service.status, loadBalancer: {} };
}
