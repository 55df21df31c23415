import {
  append,
  FieldPath,
  forbiddenValue,
  goQuote,
  invalidValue,
  isDNS1123Label,
  isDNS1123Subdomain,
  isDNS1123SubdomainWithUnderscore,
  isLabelValue,
  isQualifiedName,
  notSupported,
  rangeMessage,
  required,
  tooLong,
  byteLength,
  duplicate,
  validateAnnotations,
  validateLabels,
  validateLegacyIP,
} from '@kubechain/apimachinery';
import type { FieldError } from '@kubechain/apimachinery';
import type {
  HostAlias,
  PodResourceClaim,
  PodSchedulingGate,
  PodSpec,
  PodTemplateSpec,
  Toleration,
} from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../../capabilities.ts';
import { internalForm } from '../../../validation/internal-form.ts';
import { each, fields, filled, format, items, needed, oneOf, present } from '../../../validation/rules.ts';
import type { Rule } from '../../../validation/rules.ts';
import { validateAffinity, validateTopologySpread } from './affinity.ts';
import { allContainers, validateContainers, validateEphemeralContainers, validateInitContainers } from './container.ts';
import { validateOperatingSystem, validateWindowsHostProcess } from './operating-system.ts';
import { validateOverhead, validatePodResources } from './resources.ts';
import { validatePodSecurityContext } from './security-context.ts';
import { validateVolumes } from './volumes.ts';
import { validatePodAnnotations } from './annotations.ts';
import { validateAppArmorMatches } from './app-armor-annotations.ts';
import { validateSeccompMatches } from './seccomp-annotations.ts';
import { validateFileKeyVolumes } from './file-key-volumes.ts';
import { validateEvictionResponders } from './eviction-responders.ts';
import type { EvictionResponder } from './eviction-responders.ts';

const maxInt32 = 2 ** 31 - 1;
const maxHostname = 64;

/** What a pod spec stands in. */
export interface PodSpecSurroundings {
  /** What the server lets pods ask for. */
  readonly capabilities: Capabilities;
  /** The spec is a pod's own, not a template's. */
  readonly isPod?: boolean;
  /** Name of the pod, where it has one yet. */
  readonly podName?: string;
  /** The pod mirrors one that a node runs by itself. */
  readonly mirror?: boolean;
}

/** Rules of pod specs, in the order of the reference's answers (ValidatePodSpec of pkg/apis/core/validation, 1.36). */
export function validatePodSpec(spec: PodSpec, path: FieldPath, surroundings: PodSpecSurroundings): FieldError[] {
  const errors: FieldError[] =
    spec.terminationGracePeriodSeconds === undefined ? [required(path.child('terminationGracePeriodSeconds'))] : [];
  const volumes = validateVolumes(spec.volumes, path.child('volumes'), {
    isPod: surroundings.isPod === true,
    podName: surroundings.podName ?? '',
    forgives: surroundings.capabilities.forgives,
  });
  const { forgives } = surroundings.capabilities;
  const claims = new Set((spec.resourceClaims ?? []).map(({ name }) => name || '').filter((name) => name !== ''));
  const pod = {
    volumes: volumes.byName,
    gracePeriodSeconds: spec.terminationGracePeriodSeconds ?? 0,
    containers: spec.containers ?? [],
    initContainers: spec.initContainers ?? [],
    restartPolicy: spec.restartPolicy ?? '',
    hostUsers: spec.hostUsers !== false,
    os: spec.os?.name,
    capabilities: surroundings.capabilities,
    claims,
  };
  append(errors, volumes.errors);
  append(
    errors,
    surroundings.mirror === true
      ? (spec.resourceClaims ?? []).map(() =>
          forbiddenValue(FieldPath.of(''), 'static pods do not support resource claims'),
        )
      : validateResourceClaims(spec.resourceClaims, path.child('resourceClaims')),
  );
  append(errors, validateContainers(path.child('containers'), pod));
  append(errors, validateInitContainers(path.child('initContainers'), pod));
  append(errors, validateEphemeralContainers(spec.ephemeralContainers ?? [], path.child('ephemeralContainers'), pod));
  append(errors, validatePodResources(spec, path, { claims, forgives }));
  append(errors, validateHostPorts(spec, path, surroundings.isPod === true));
  append(errors, specRules(spec, path));
  append(errors, validateLabels(spec.nodeSelector ?? {}, path.child('nodeSelector')));
  append(errors, validatePodSecurityContext(spec, path.child('securityContext'), surroundings.capabilities));
  append(
    errors,
    spec.affinity === undefined
      ? []
      : validateAffinity(spec.affinity, path.child('affinity'), surroundings.capabilities),
  );
  append(errors, validateDNS(spec, path.child('dnsConfig')));
  append(errors, gateRules(spec, path));
  append(
    errors,
    validateTopologySpread(
      spec.topologySpreadConstraints ?? [],
      path.child('topologySpreadConstraints'),
      surroundings.capabilities,
    ),
  );
  append(errors, validateWindowsHostProcess(spec, path, surroundings.capabilities));
  append(errors, validateHostUsers(spec, path, surroundings.capabilities));
  append(errors, validateHostnameOverride(spec, path));
  append(errors, nameRules(surroundings.capabilities)(spec, path));
  if (spec.overhead !== undefined)
    append(errors, validateOverhead(spec.overhead, path.child('overhead'), { forgives }));
  append(errors, validateOperatingSystem(spec, path, surroundings.capabilities));
  append(errors, validateFileKeyVolumes(spec, path));
  const { evictionResponders } = spec as { readonly evictionResponders?: readonly EvictionResponder[] };
  if (evictionResponders !== undefined)
    append(errors, validateEvictionResponders(evictionResponders, path.child('evictionResponders')));
  return errors;
}

const specRules = fields<PodSpec>({
  restartPolicy: oneOf(['Always', 'OnFailure', 'Never']),
  dnsPolicy: oneOf(['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']),
});

const gateRules = fields<PodSpec>({
  readinessGates: items(fields({ conditionType: format(isQualifiedName) })),
  schedulingGates: (gates, path) => {
    const seen = new Set<string>();
    return items<Partial<PodSchedulingGate>>(({ name = '' }, at) => {
      const errors = format(isQualifiedName)(name, at);
      if (seen.has(name)) errors.push(duplicate(at, name));
      seen.add(name);
      return errors;
    })(gates, path);
  },
});

const nameRules = (capabilities: Capabilities): Rule<PodSpec> =>
  fields<PodSpec>({
    serviceAccountName: filled(format(isDNS1123Subdomain)),
    nodeName: filled(format(isDNS1123Subdomain)),
    activeDeadlineSeconds: present<number>((seconds, path) =>
      seconds < 1 || seconds > maxInt32 ? [invalidValue(path, seconds, rangeMessage(1, maxInt32))] : [],
    ),
    hostname: filled(format(isDNS1123Label)),
    subdomain: filled(format(isDNS1123Label)),
    tolerations: (tolerations, path) => validateTolerations(tolerations, path, capabilities),
    hostAliases: items<HostAlias>(({ hostnames, ip }, path) => [
      ...validateLegacyIP(path.child('ip'), ip ?? ''),
      ...items(format(isDNS1123Subdomain))(hostnames, path.child('hostnames')),
    ]),
    priorityClassName: filled(format(isDNS1123Subdomain)),
    runtimeClassName: present(format(isDNS1123Subdomain)),
    preemptionPolicy: present(oneOf(['PreemptLowerPriority', 'Never'])) as Rule<PodSpec['preemptionPolicy']>,
  });

function validateResourceClaims(claims: readonly PodResourceClaim[] | undefined, path: FieldPath): FieldError[] {
  const names = new Set<string>();
  return items<PodResourceClaim>((claim, at) => {
    const { name, resourceClaimName, resourceClaimTemplateName } = claim;
    const errors = needed<string>((text, where) =>
      names.has(text) ? [duplicate(where, text)] : format(isDNS1123Label)(text, where),
    )(name, at.child('name'));
    names.add(name);
    const print = internalForm('core.PodResourceClaim', claim);
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined)
      errors.push(
        invalidValue(at, print, 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified'),
      );
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined)
      errors.push(invalidValue(at, print, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`'));
    return [
      ...errors,
      ...present(format(isDNS1123Subdomain))(resourceClaimName, at.child('resourceClaimName')),
      ...present(format(isDNS1123Subdomain))(resourceClaimTemplateName, at.child('resourceClaimTemplateName')),
    ];
  })(claims, path);
}

/** On the node's own network ports are the node's; templates may leave that to the pod's defaults. */
function validateHostPorts({ containers, hostNetwork }: PodSpec, path: FieldPath, isPod: boolean): FieldError[] {
  if (hostNetwork !== true) return [];
  return (containers ?? []).flatMap(({ ports = [] }, i) =>
    ports.flatMap(({ containerPort, hostPort = 0 }, j) =>
      (isPod || hostPort !== 0) && hostPort !== containerPort
        ? [
            invalidValue(
              path.child('containers').index(i).child('ports').index(j).child('hostPort'),
              hostPort,
              'must match `containerPort` when `hostNetwork` is true',
            ),
          ]
        : [],
    ),
  );
}

const maxNameservers = 3;
const maxSearches = 32;
const maxSearchCharacters = 2048;

function validateDNS({ dnsConfig, dnsPolicy }: PodSpec, path: FieldPath): FieldError[] {
  const { nameservers = [], options = [], searches = [] } = dnsConfig ?? {};
  if (dnsPolicy === 'None') {
    if (dnsConfig === undefined) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')];
    if (nameservers.length === 0)
      return [required(path.child('nameservers'), 'must provide at least one DNS nameserver when `dnsPolicy` is None')];
  }
  const searchesPath = path.child('searches');
  return [
    ...(nameservers.length > maxNameservers
      ? [invalidValue(path.child('nameservers'), nameservers, `must not have more than ${maxNameservers} nameservers`)]
      : []),
    ...items<string>((ip, at) => validateLegacyIP(at, ip))(nameservers, path.child('nameservers')),
    ...(searches.length > maxSearches
      ? [invalidValue(searchesPath, searches, `must not have more than ${maxSearches} search paths`)]
      : []),
    ...(byteLength(searches.join(' ')) > maxSearchCharacters
      ? [
          invalidValue(
            searchesPath,
            searches,
            `must not have more than ${maxSearchCharacters} characters (including spaces) in the search list`,
          ),
        ]
      : []),
    ...searches.flatMap((search, i) =>
      search === '.' ? [] : format(isDNS1123SubdomainWithUnderscore)(search.replace(/\.$/, ''), searchesPath.index(i)),
    ),
    ...options.flatMap(({ name }, i) => (name ? [] : [required(path.child('options').index(i), 'must not be empty')])),
  ];
}

/** Users of its own go with namespaces of its own. */
function validateHostUsers(spec: PodSpec, path: FieldPath, { enabled, forgives }: Capabilities): FieldError[] {
  if (spec.hostUsers !== false) return [];
  const refuse = (at: FieldPath): FieldError => forbiddenValue(at, 'when `hostUsers` is false');
  return [
    ...(spec.hostNetwork === true && !enabled('UserNamespacesHostNetworkSupport')
      ? [refuse(path.child('hostNetwork'))]
      : []),
    ...(spec.hostPID === true ? [refuse(path.child('HostPID'))] : []),
    ...(spec.hostIPC === true ? [refuse(path.child('HostIPC'))] : []),
    ...(forgives('devices without users of the host') ? [] : allContainers(spec, path)).flatMap(([container, at]) =>
      (container.volumeDevices?.length ?? 0) > 0 ? [refuse(at.child('volumeDevices'))] : [],
    ),
  ];
}

function validateHostnameOverride(
  { hostNetwork, hostnameOverride, setHostnameAsFQDN }: PodSpec,
  path: FieldPath,
): FieldError[] {
  if (hostnameOverride === undefined) return [];
  const at = path.child('hostnameOverride');
  return [
    ...(setHostnameAsFQDN === true ? [forbiddenValue(at, 'may not be specified when setHostnameAsFQDN is true')] : []),
    ...(hostNetwork === true ? [forbiddenValue(at, 'may not be specified when hostNetwork is true')] : []),
    ...(byteLength(hostnameOverride) > maxHostname ? [tooLong(at, maxHostname)] : []),
    ...format(isDNS1123Subdomain)(hostnameOverride, at),
  ];
}

const noFeatures: Pick<Capabilities, 'enabled'> = { enabled: () => false };

/** Tolerations of pods, with features, and of runtime classes and plugins, without. */
export function validateTolerations(
  tolerations: readonly Toleration[] | undefined,
  path: FieldPath,
  { enabled }: Pick<Capabilities, 'enabled'> = noFeatures,
): FieldError[] {
  return each(tolerations, (toleration, i) => {
    const at = path.index(i);
    const {
      effect = '',
      key = '',
      operator = '',
      tolerationSeconds,
      value = '',
    } = toleration as { effect?: string; key?: string; operator?: string; tolerationSeconds?: number; value?: string };
    const errors = key === '' ? [] : isQualifiedName(key).map((message) => invalidValue(at.child('key'), key, message));
    if (key === '' && operator !== 'Exists')
      errors.push(
        invalidValue(
          at.child('operator'),
          operator,
          'operator must be Exists when `key` is empty, which means "match all values and all keys"',
        ),
      );
    if (tolerationSeconds !== undefined && effect !== 'NoExecute')
      errors.push(
        invalidValue(at.child('effect'), effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"),
      );
    if (operator === 'Equal' || operator === '') {
      const messages = isLabelValue(value);
      if (messages.length > 0) errors.push(invalidValue(at.child('operator'), value, messages.join(';')));
    } else if (operator === 'Exists') {
      if (value !== '')
        errors.push(invalidValue(at.child('operator'), value, "value must be empty when `operator` is 'Exists'"));
    } else if ((operator === 'Lt' || operator === 'Gt') && enabled('TaintTolerationComparisonOperators'))
      append(errors, wholeNumber(value, at.child('value')));
    else
      errors.push(
        notSupported(
          at.child('operator'),
          operator,
          operator === 'Lt' || operator === 'Gt' ? ['Equal', 'Exists', 'Lt', 'Gt'] : ['Equal', 'Exists'],
        ),
      );
    if (effect !== '' && !effects.includes(effect)) errors.push(notSupported(at.child('effect'), effect, effects));
    return errors;
  });
}

/** What is compared by size is an int64, written in one way. */
function wholeNumber(value: string, path: FieldPath): FieldError[] {
  const message = value === '' ? 'must be non-empty' : 'must be a valid decimal integer in canonical form';
  const errors = /^(?:0|-?[1-9][0-9]*)$/.test(value) ? [] : [invalidValue(path, value, message)];
  const isNumber = /^[+-]?[0-9]+$/.test(value);
  if (isNumber && BigInt(value) >= -(2n ** 63n) && BigInt(value) < 2n ** 63n) return errors;
  const reason = isNumber ? 'value out of range' : 'invalid syntax';
  return [...errors, invalidValue(path, value, `strconv.ParseInt: parsing ${goQuote(value)}: ${reason}`)];
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** Rules of templates (ValidatePodTemplateSpec). */
export function validatePodTemplate(
  template: PodTemplateSpec,
  path: FieldPath,
  capabilities: Capabilities,
): FieldError[] {
  const spec = template.spec ?? { containers: [] };
  return [
    ...validateLabels(template.metadata?.labels ?? {}, path.child('labels')),
    ...validateAnnotations(template.metadata?.annotations ?? {}, path.child('annotations')),
    ...validatePodAnnotations(template, capabilities, path.child('annotations')),
    ...validatePodSpec(spec, path.child('spec'), { capabilities }),
    ...validateSeccompMatches(spec, template.metadata, path.child('spec')),
    ...validateAppArmorMatches(spec, template.metadata, path.child('spec')),
    ...((spec.ephemeralContainers?.length ?? 0) > 0
      ? [forbiddenValue(path.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}
