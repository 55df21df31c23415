import {
  append,
  duplicate,
  forbiddenValue,
  invalidValue,
  isDNS1123Label,
  isGiven,
  isValidPortName,
  isValidPortNum,
  notSupported,
  required,
  tooMany,
  valueNotFound,
  trimSpace,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type {
  Container,
  ContainerPort,
  ContainerResizePolicy,
  EphemeralContainer,
  PodSpec,
  Volume,
} from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../../capabilities.ts';
import { each, fields, format, needed, oneOf } from '../../../validation/rules.ts';
import { validateEnv, validateEnvFrom } from './env.ts';
import { validateProbesAndHooks } from './handler.ts';
import { validateDevices, validateMounts } from './mounts.ts';
import { validateResources } from './resources.ts';
import { validateSecurityContext } from './security-context.ts';

/** What containers are checked against. */
export interface ContainerSurroundings {
  /** The pod's valid volumes. */
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly gracePeriodSeconds: number;
  readonly containers: readonly Container[];
  readonly initContainers: readonly Container[];
  readonly restartPolicy: string;
  readonly hostUsers: boolean;
  /** The pod's operating system, where it names one. */
  readonly os: string | undefined;
  readonly capabilities: Capabilities;
  /** Names of the pod's resource claims. */
  readonly claims: ReadonlySet<string>;
}

/**
 * All containers of a pod with their paths: those that run first, the main ones, and those that were added to look into
 * it.
 */
export function allContainers(
  spec: Partial<PodSpec>,
  path: FieldPath,
): (readonly [Container | EphemeralContainer, FieldPath])[] {
  const all: (readonly [Container | EphemeralContainer, FieldPath])[] = [];
  for (const list of ['initContainers', 'containers', 'ephemeralContainers'] as const) {
    for (const [i, container] of (spec[list] ?? []).entries()) all.push([container, path.child(list).index(i)]);
  }
  return all;
}

/** The main containers of a pod (validateContainers of pkg/apis/core/validation, 1.36). */
export function validateContainers(path: FieldPath, pod: ContainerSurroundings): FieldError[] {
  const { containers } = pod;
  if (containers.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  containers.forEach((container, i) => {
    const at = path.index(i);
    append(errors, validateContainer(container, at, pod));
    const name = container.name || '';
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    append(errors, validateProbesAndHooks(container, at, pod));
    append(errors, validateRestartRules(container, at));
  });
  append(errors, hostPortConflicts(containers, path));
  return errors;
}

const sidecarOnly = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Init containers: sidecars among them may have probes and hooks. */
export function validateInitContainers(path: FieldPath, pod: ContainerSurroundings): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set(pod.containers.map((container) => container.name || ''));
  pod.initContainers.forEach((container, i) => {
    const at = path.index(i);
    append(errors, validateContainer(container, at, pod));
    append(errors, validateInitRestartRules(container, at));
    const name = container.name || '';
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    else if (name !== '') names.add(name);
    append(errors, hostPortConflicts([container], path));
    if (container.restartPolicy === 'Always') {
      append(errors, validateProbesAndHooks(container, at, pod));
      return;
    }
    for (const field of sidecarOnly)
      if (container[field] !== undefined)
        errors.push(forbiddenValue(at.child(field), 'may not be set for init containers without restartPolicy=Always'));
    if (pod.capabilities.forgives('resize of init containers')) return;
    (container.resizePolicy ?? []).forEach((policy, j) => {
      if (policy.restartPolicy === 'RestartContainer')
        errors.push(
          invalidValue(
            at.child('resizePolicy').index(j).child('restartPolicy'),
            policy.restartPolicy,
            "must not be set to 'RestartContainer' for non-sidecar initContainers",
          ),
        );
    });
  });
  return errors;
}

/** Fields that containers have and ephemeral ones may not, in Go's order. */
const notEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;
const ephemeralMessage = 'cannot be set for an Ephemeral Container';

/** Containers that were added to a running pod (validateEphemeralContainers). */
export function validateEphemeralContainers(
  containers: readonly EphemeralContainer[],
  path: FieldPath,
  pod: ContainerSurroundings,
): FieldError[] {
  const errors: FieldError[] = [];
  const others = new Set([...pod.containers, ...pod.initContainers].map(({ name = '' }: Partial<Container>) => name));
  const names = new Set(others);
  containers.forEach((container, i) => {
    const at = path.index(i);
    const { image = '', name = '', targetContainerName = '' } = container as Partial<EphemeralContainer>;
    append(errors, validateContainer(container as Container, at, pod));
    if (image !== trimSpace(image))
      errors.push(invalidValue(at.child('image'), image, 'must not have leading or trailing whitespace'));
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    if (targetContainerName !== '' && !others.has(targetContainerName))
      errors.push(valueNotFound(at.child('targetContainerName'), targetContainerName));
    for (const field of notEphemeral)
      if (isSet(field, container)) errors.push(forbiddenValue(at.child(field), ephemeralMessage));
    (container.volumeMounts ?? []).forEach((mount, j) => {
      for (const field of ['subPath', 'subPathExpr'] as const)
        if (mount[field]) errors.push(forbiddenValue(at.child('volumeMounts').index(j).child(field), ephemeralMessage));
    });
  });
  return errors;
}

/** Resources that say nothing are as good as none; pointers to empty structs and lists without entries are not. */
function isSet(field: (typeof notEphemeral)[number], container: EphemeralContainer): boolean {
  if (field !== 'resources') return isGiven(container, field);
  const { resources } = container;
  return (
    resources !== undefined && (['limits', 'requests', 'claims'] as const).some((part) => isGiven(resources, part))
  );
}

const commonRules = fields<Container>({
  name: needed(format(isDNS1123Label)),
  image: needed(),
  terminationMessagePolicy: oneOf(['File', 'FallbackToLogsOnError']),
  ports: (ports, path) => validatePorts(ports, path),
  env: (env, path) => validateEnv(env, path),
  envFrom: (sources, path) => validateEnvFrom(sources, path),
});

/** What holds for containers of every kind (validateContainerCommon). */
function validateContainer(container: Container, path: FieldPath, pod: ContainerSurroundings): FieldError[] {
  return [
    ...commonRules(container, path),
    ...validateMounts(container, path.child('volumeMounts'), pod.volumes),
    ...validateDevices(container, path.child('volumeDevices'), pod.volumes),
    ...oneOf(pullPolicies)(container.imagePullPolicy, path.child('imagePullPolicy')),
    ...validateResources(container.resources, path.child('resources'), {
      claims: pod.claims,
      forgives: pod.capabilities.forgives,
    }),
    ...validateResizePolicies(container.resizePolicy ?? [], path.child('resizePolicy'), pod.restartPolicy),
    ...validateSecurityContext(container.securityContext, path.child('securityContext'), pod),
  ];
}

/** Errors about the values name the list, as the reference's do. */
function validateResizePolicies(
  policies: readonly ContainerResizePolicy[],
  path: FieldPath,
  podRestartPolicy: string,
): FieldError[] {
  const seen = new Set<string>();
  return each(
    policies,
    ({ resourceName = '', restartPolicy }: { resourceName?: string; restartPolicy?: string }, i) => {
      const errors = seen.has(resourceName) ? [duplicate(path.index(i), resourceName)] : [];
      seen.add(resourceName);
      append(errors, oneOf(['cpu', 'memory'])(resourceName, path));
      append(errors, oneOf(['NotRequired', 'RestartContainer'])(restartPolicy, path));
      if (podRestartPolicy === 'Never' && restartPolicy !== 'NotRequired')
        errors.push(
          invalidValue(path, restartPolicy ?? '', "must be 'NotRequired' when pod `restartPolicy` is 'Never'"),
        );
      return errors;
    },
  );
}

const maxRestartRules = 20;
const maxExitCodes = 255;

/** When a container runs again, where it says so itself (validateContainerRestartPolicy). */
function validateRestartRules(
  { restartPolicy, restartPolicyRules: rules = [] }: Container,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  const policies = ['Always', 'Never', 'OnFailure'];
  if (restartPolicy === undefined) {
    if (rules.length === 0) return [];
    errors.push(required(path.child('restartPolicy'), 'must specify restartPolicy when restart rules are used'));
  } else if (!policies.includes(restartPolicy))
    errors.push(notSupported(path.child('restartPolicy'), restartPolicy, policies));
  if (rules.length > maxRestartRules)
    errors.push(tooMany(path.child('restartPolicyRules'), rules.length, maxRestartRules));
  rules.forEach(({ action, exitCodes }, i) => {
    const at = path.child('restartPolicyRules').index(i);
    const actions = ['Restart', 'RestartAllContainers'];
    if (!actions.includes(action)) errors.push(notSupported(at.child('action'), action ?? '', actions));
    if (exitCodes === undefined) {
      errors.push(required(at.child('exitCodes'), 'must be specified'));
      return;
    }
    const operators = ['In', 'NotIn'];
    if (!operators.includes(exitCodes.operator))
      errors.push(notSupported(at.child('exitCodes', 'operator'), exitCodes.operator ?? '', operators));
    if ((exitCodes.values?.length ?? 0) > maxExitCodes)
      errors.push(tooMany(at.child('exitCodes', 'values'), exitCodes.values?.length ?? 0, maxExitCodes));
  });
  return errors;
}

/**
 * Rules of a container that runs first are not looked into unless it says when it runs again
 * (validateInitContainerRestartPolicy).
 */
function validateInitRestartRules(container: Container, path: FieldPath): FieldError[] {
  if (container.restartPolicy !== undefined) return validateRestartRules(container, path);
  return (container.restartPolicyRules?.length ?? 0) === 0
    ? []
    : [required(path.child('restartPolicy'), 'must specify restartPolicy when restart rules are used')];
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];
const protocols = ['SCTP', 'TCP', 'UDP'];

function validatePorts(ports: readonly ContainerPort[] | undefined, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set<string>();
  (ports ?? []).forEach((port, i) => {
    const at = path.index(i);
    const { name = '' } = port;
    if (name !== '') {
      const messages = isValidPortName(name);
      append(
        errors,
        messages.map((message) => invalidValue(at.child('name'), name, message)),
      );
      if (messages.length === 0) {
        if (names.has(name)) errors.push(duplicate(at.child('name'), name));
        names.add(name);
      }
    }
    if (!port.containerPort) errors.push(required(at.child('containerPort')));
    else
      append(
        errors,
        isValidPortNum(port.containerPort).map((message) =>
          invalidValue(at.child('containerPort'), port.containerPort, message),
        ),
      );
    if (port.hostPort)
      append(
        errors,
        isValidPortNum(port.hostPort).map((message) => invalidValue(at.child('hostPort'), port.hostPort, message)),
      );
    const protocol: string = port.protocol ?? '';
    if (protocol === '') errors.push(required(at.child('protocol')));
    else if (!protocols.includes(protocol)) errors.push(notSupported(at.child('protocol'), protocol, protocols));
  });
  return errors;
}

function hostPortConflicts(containers: readonly Container[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const taken = new Set<string>();
  containers.forEach((container, i) => {
    (container.ports ?? []).forEach((port, j) => {
      if (!port.hostPort) return;
      const key = `${port.protocol ?? ''}/${port.hostIP ?? ''}/${port.hostPort}`;
      if (taken.has(key)) errors.push(duplicate(path.index(i).child('ports').index(j).child('hostPort'), key));
      taken.add(key);
    });
  });
  return errors;
}
