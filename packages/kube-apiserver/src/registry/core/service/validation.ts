import {
  append,
  FieldPath,
  duplicate,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isQualifiedName,
  isValidPortNum,
  notSupported,
  parseIPAddress,
  required,
  validateLabels,
  validateLegacyCIDR,
  validateLegacyIP,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  LoadBalancerIngress,
  Service,
  ServicePort,
  ServiceSpec,
  SessionAffinityConfig,
} from '@kubechain/apimachinery/types/core/v1';
import { all, fields, filled, format, oneOf, oneOfIfSet, present } from '../../validation/rules.ts';
import type { Rule } from '../../validation/rules.ts';
import { validateEndpointIP } from '../endpoint-ip.ts';
import { validatePort } from '../pod/validation/handler.ts';
import { headless, isHeadless, needsHealthCheckPort } from '../../service-allocation/service-view.ts';
import {
  validateClusterIPs,
  validateClusterIPsUpdate,
  validateIPFamiliesUpdate,
} from '../../service-allocation/cluster-ips-validation.ts';
import { isExternallyAccessible } from './defaults.ts';

const specPath = FieldPath.of('spec');
const annotationsPath = FieldPath.of('metadata', 'annotations');
const modeAnnotation = 'service.kubernetes.io/topology-mode';
const hintsAnnotation = 'service.kubernetes.io/topology-aware-hints';
const sourceRangesAnnotation = 'service.beta.kubernetes.io/load-balancer-source-ranges';
const onlyLoadBalancer = "may only be used when `type` is 'LoadBalancer'";
const notExternalName = 'may not be set for ExternalName services';
/** Longest session affinity, in seconds: a day. */
const maxAffinitySeconds = 86_400;

/** Rules of new services (ValidateServiceCreate of pkg/apis/core/validation, 1.36). */
export function validateService(service: Service, old?: Service): FieldError[] {
  const spec = service.spec ?? {};
  return [
    ...validateTopologyMode(service),
    ...validateType(service),
    ...validatePorts(service),
    ...validateLabels(spec.selector ?? {}, specPath.child('selector')),
    ...validateAffinity(spec, specPath),
    ...validateClusterIPs(service, old),
    ...validateExternalIPs(spec, old?.spec),
    ...oneOf(types)(spec.type, specPath.child('type')),
    ...validatePortUse(spec),
    ...validateSourceRanges(service, old),
    ...validateLoadBalancer(spec),
    ...validateTrafficPolicies(service),
  ];
}

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

/** Rules of changes: addresses stay, and what the load balancer was made with (ValidateServiceUpdate). */
export function validateServiceUpdate(service: Service, old: Service): FieldError[] {
  const errors = [...validateClusterIPsUpdate(service, old), ...validateIPFamiliesUpdate(service, old)];
  const loadBalancerClass = service.spec?.loadBalancerClass;
  if (
    service.spec?.type === 'LoadBalancer' &&
    old.spec?.type === 'LoadBalancer' &&
    loadBalancerClass !== old.spec.loadBalancerClass
  ) {
    errors.push(
      invalidValue(specPath.child('loadBalancerClass'), loadBalancerClass ?? null, 'may not change once set'),
    );
  }
  append(errors, validateLoadBalancerClass(service.spec ?? {}));
  if (
    needsHealthCheckPort(old) &&
    needsHealthCheckPort(service) &&
    service.spec?.healthCheckNodePort !== old.spec?.healthCheckNodePort
  )
    errors.push(forbiddenValue(specPath.child('healthCheckNodePort'), 'field is immutable'));
  return [...errors, ...validateService(service, old)];
}

function validateTopologyMode({ metadata }: Service): FieldError[] {
  const mode = metadata?.annotations?.[modeAnnotation];
  const hints = metadata?.annotations?.[hintsAnnotation];
  if (mode === undefined || hints === undefined || mode === hints) return [];
  return [
    invalidValue(
      annotationsPath.key(modeAnnotation),
      mode,
      `must match annotations[${hintsAnnotation}] when both are specified`,
    ),
  ];
}

/** What the type needs and what it rules out. */
function validateType(service: Service): FieldError[] {
  const spec = service.spec ?? {};
  const errors: FieldError[] = [];
  if ((spec.ports?.length ?? 0) === 0 && !isHeadless(service) && spec.type !== 'ExternalName')
    errors.push(required(specPath.child('ports')));
  if (spec.type === 'LoadBalancer' || spec.type === 'NodePort') {
    if (isHeadless(service))
      errors.push(
        invalidValue(
          specPath.child('clusterIPs').index(0),
          headless,
          `may not be set to 'None' for ${spec.type} services`,
        ),
      );
  } else if (spec.type === 'ExternalName') {
    if ((spec.clusterIPs?.length ?? 0) > 0) errors.push(forbiddenValue(specPath.child('clusterIPs'), notExternalName));
    if ((spec.ipFamilies?.length ?? 0) > 0) errors.push(forbiddenValue(specPath.child('ipFamilies'), notExternalName));
    if (spec.ipFamilyPolicy !== undefined)
      errors.push(forbiddenValue(specPath.child('ipFamilyPolicy'), notExternalName));
    const name = (spec.externalName ?? '').replace(/\.$/, '');
    append(
      errors,
      name === ''
        ? [required(specPath.child('externalName'))]
        : format(isDNS1123Subdomain)(name, specPath.child('externalName')),
    );
  }
  return errors;
}

const portRules = fields<ServicePort>({
  port: (value, path) => isValidPortNum(value ?? 0).map((message) => invalidValue(path, value ?? 0, message)),
  protocol: oneOf(['SCTP', 'TCP', 'UDP']),
  targetPort: (value, path) => validatePort(value, path),
  appProtocol: present(format(isQualifiedName)),
});

/** Ports by themselves; with several each has a name of its own. */
function validatePorts({ spec }: Service): FieldError[] {
  const names = new Set<string>();
  const ports = spec?.ports ?? [];
  return ports.flatMap((port, i) => {
    const path = specPath.child('ports').index(i);
    const { name = '' } = port;
    const errors: FieldError[] = [];
    if (name === '') {
      if (ports.length > 1) errors.push(required(path.child('name')));
    } else {
      append(errors, format(isDNS1123Label)(name, path.child('name')));
      if (names.has(name)) errors.push(duplicate(path.child('name'), name));
      names.add(name);
    }
    return [...errors, ...portRules(port, path)];
  });
}

const clientIPRule: Rule<SessionAffinityConfig | undefined> = (config, path) => {
  const missing = 'when session affinity type is ClientIP';
  if (config === undefined) return [required(path, missing)];
  if (config.clientIP === undefined) return [required(path.child('clientIP'), missing)];
  const seconds = config.clientIP.timeoutSeconds;
  const at = path.child('clientIP', 'timeoutSeconds');
  if (seconds === undefined) return [required(at, missing)];
  return seconds <= 0 || seconds > maxAffinitySeconds
    ? [invalidValue(at, seconds, `must be greater than 0 and less than ${maxAffinitySeconds}`)]
    : [];
};

function validateAffinity({ sessionAffinity, sessionAffinityConfig }: ServiceSpec, path: FieldPath): FieldError[] {
  const errors = oneOf(['ClientIP', 'None'])(sessionAffinity, path.child('sessionAffinity'));
  const at = path.child('sessionAffinityConfig');
  if (sessionAffinity === 'ClientIP') append(errors, clientIPRule(sessionAffinityConfig, at));
  else if (sessionAffinity === 'None' && sessionAffinityConfig !== undefined)
    errors.push(forbiddenValue(at, 'must not be set when session affinity is None'));
  return errors;
}

function validateExternalIPs({ externalIPs = [] }: ServiceSpec, old: ServiceSpec | undefined): FieldError[] {
  const before = new Set(old?.externalIPs);
  return externalIPs.flatMap((ip, i) => {
    const path = specPath.child('externalIPs').index(i);
    const errors = validateLegacyIP(path, ip, { old: before });
    return errors.length > 0 ? errors : validateEndpointIP(ip, path);
  });
}

/** Node ports where there are any, and each protocol and number once. */
function validatePortUse({ ports = [], type }: ServiceSpec): FieldError[] {
  const path = specPath.child('ports');
  const errors: FieldError[] = [];
  if (type === 'ClusterIP')
    ports.forEach(({ nodePort }, i) => {
      if (nodePort)
        errors.push(forbiddenValue(path.index(i).child('nodePort'), "may not be used when `type` is 'ClusterIP'"));
    });
  const nodePorts = new Set<string>();
  ports.forEach(({ nodePort, protocol = '' }, i) => {
    if (!nodePort) return;
    if (nodePorts.has(`${protocol}/${nodePort}`)) errors.push(duplicate(path.index(i).child('nodePort'), nodePort));
    nodePorts.add(`${protocol}/${nodePort}`);
  });
  const seen = new Set<string>();
  ports.forEach(({ port = 0, protocol = '' }: { port?: number; protocol?: string }, i) => {
    // Printed as the reference's own form of a port, of which it fills in these two fields.
    if (seen.has(`${protocol}/${port}`))
      errors.push(
        duplicate(path.index(i), {
          Name: '',
          Protocol: protocol,
          AppProtocol: null,
          Port: port,
          TargetPort: 0,
          NodePort: 0,
        }),
      );
    seen.add(`${protocol}/${port}`);
  });
  return errors;
}

/** CIDRs, which may stand between spaces; those that were there stay valid. */
function validateSourceRanges({ metadata, spec = {} }: Service, old: Service | undefined): FieldError[] {
  const ranges = spec.loadBalancerSourceRanges ?? [];
  const isLoadBalancer = spec.type === 'LoadBalancer';
  if (ranges.length > 0) {
    const path = specPath.child('LoadBalancerSourceRanges');
    const before = new Set((old?.spec?.loadBalancerSourceRanges ?? []).map((range) => range.trim()));
    return [
      ...(isLoadBalancer ? [] : [forbiddenValue(path, onlyLoadBalancer)]),
      ...ranges.flatMap((range, i) => validateLegacyCIDR(path.index(i), range.trim(), { old: before })),
    ];
  }
  const annotation = metadata?.annotations?.[sourceRangesAnnotation];
  if (annotation === undefined) return [];
  const path = annotationsPath.key(sourceRangesAnnotation);
  const errors = isLoadBalancer ? [] : [forbiddenValue(path, onlyLoadBalancer)];
  if (annotation.trim() === '' || old?.metadata?.annotations?.[sourceRangesAnnotation] === annotation) return errors;
  return [...errors, ...annotation.split(',').flatMap((range) => validateLegacyCIDR(path, range.trim()))];
}

function validateLoadBalancer(spec: ServiceSpec): FieldError[] {
  const isLoadBalancer = spec.type === 'LoadBalancer';
  const errors: FieldError[] = [];
  if (spec.allocateLoadBalancerNodePorts !== undefined && !isLoadBalancer)
    errors.push(forbiddenValue(specPath.child('allocateLoadBalancerNodePorts'), onlyLoadBalancer));
  if (spec.allocateLoadBalancerNodePorts === undefined && isLoadBalancer)
    errors.push(required('allocateLoadBalancerNodePorts'));
  return [...errors, ...validateLoadBalancerClass(spec)];
}

function validateLoadBalancerClass({ loadBalancerClass, type }: ServiceSpec): FieldError[] {
  const path = specPath.child('loadBalancerClass');
  if (loadBalancerClass === undefined) return [];
  return type === 'LoadBalancer'
    ? format(isQualifiedName)(loadBalancerClass, path)
    : [forbiddenValue(path, onlyLoadBalancer)];
}

const policies = ['Cluster', 'Local'];

function validateTrafficPolicies(service: Service): FieldError[] {
  const spec = service.spec ?? {};
  const errors: FieldError[] = [];
  const externalPath = specPath.child('externalTrafficPolicy');
  if (isExternallyAccessible(spec)) append(errors, oneOf(policies)(spec.externalTrafficPolicy, externalPath));
  else if (spec.externalTrafficPolicy !== undefined)
    errors.push(
      invalidValue(externalPath, spec.externalTrafficPolicy, 'may only be set for externally-accessible services'),
    );

  const portPath = specPath.child('healthCheckNodePort');
  const port = spec.healthCheckNodePort ?? 0;
  if (needsHealthCheckPort(service))
    append(
      errors,
      port === 0 ? [required(portPath)] : isValidPortNum(port).map((message) => invalidValue(portPath, port, message)),
    );
  else if (port !== 0)
    errors.push(
      invalidValue(
        portPath,
        port,
        "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
      ),
    );

  const internalPath = specPath.child('internalTrafficPolicy');
  if (spec.internalTrafficPolicy === undefined && types.includes(spec.type ?? '') && spec.type !== 'ExternalName')
    errors.push(required(internalPath));
  append(errors, oneOfIfSet(policies)(spec.internalTrafficPolicy, internalPath));
  return [
    ...errors,
    ...oneOfIfSet(['PreferClose', 'PreferSameZone', 'PreferSameNode'])(
      spec.trafficDistribution,
      specPath.child('trafficDistribution'),
    ),
  ];
}

const hostnameRule = all<string>(format(isDNS1123Subdomain), (name, path) =>
  parseIPAddress(name) === undefined ? [] : [invalidValue(path, name, 'must be a DNS name, not an IP address')],
);

/** Where a load balancer can be reached, in the status of services and ingresses (ValidateLoadBalancerStatus). */
function validateLoadBalancerIngress(
  ingress: readonly LoadBalancerIngress[],
  old: readonly LoadBalancerIngress[],
  path: FieldPath,
): FieldError[] {
  const before = new Set(old.flatMap(({ ip }) => (ip ? [ip] : [])));
  return ingress.flatMap(({ hostname, ip = '', ipMode }, i) => {
    const at = path.index(i);
    const errors = ip === '' ? [] : validateLegacyIP(at.child('ip'), ip, { old: before });
    if (ipMode === undefined) {
      if (ip !== '') errors.push(required(at.child('ipMode'), 'must be specified when `ip` is set'));
    } else if (ip === '') errors.push(forbiddenValue(at.child('ipMode'), 'may not be specified when `ip` is not set'));
    else if (ipMode !== 'Proxy' && ipMode !== 'VIP')
      errors.push(notSupported(at.child('ipMode'), ipMode, ['Proxy', 'VIP']));
    return [...errors, ...filled(hostnameRule)(hostname, at.child('hostname'))];
  });
}

/** Rules of the status endpoint (ValidateServiceStatusUpdate). */
export function validateServiceStatus(service: Service, old: Service): FieldError[] {
  const ingress = service.status?.loadBalancer?.ingress ?? [];
  const path = FieldPath.of('status', 'loadBalancer', 'ingress');
  if (service.spec?.type !== 'LoadBalancer' && ingress.length > 0)
    return [forbiddenValue(path, "may only be used when `spec.type` is 'LoadBalancer'")];
  return validateLoadBalancerIngress(ingress, old.status?.loadBalancer?.ingress ?? [], path);
}
