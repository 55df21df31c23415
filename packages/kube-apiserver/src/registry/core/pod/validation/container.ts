import { duplicate, forbiddenValue, invalidValue, isDNS1123Label, isValidPortName, isValidPortNum, notSupported, required, valueNotFound } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { Container, ContainerPort, VolumeMount } from '@kubechain/apimachinery/types/core/v1';
import { validateEnv, validateEnvFrom } from './env.ts';
import { validateProbesAndHooks } from './handler.ts';
import { validateResources } from './resources.ts';
import { validateRelativePath } from './volumes.ts';

/** What containers are checked against. */
export interface ContainerSurroundings {
  /** Names of the pod's valid volumes. */
  readonly volumes: ReadonlySet<string>;
  readonly gracePeriodSeconds: number;
}

/** The main containers of a pod (validateContainers of pkg/apis/core/validation, 1.36). */
export function validateContainers(containers: readonly Container[] | undefined, path: FieldPath, pod: ContainerSurroundings): FieldError[] {
  if (containers === undefined || containers.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const names = new Set<string>();
  containers.forEach((container, i) => {
    const at = path.index(i);
    errors.push(...validateContainer(container, at, pod));
    const name = container.name || '';
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    errors.push(...validateProbesAndHooks(container, at, pod.gracePeriodSeconds));
  });
  errors.push(...hostPortConflicts(containers, path));
  return errors;
}

const sidecarOnly = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

/** Init containers: sidecars among them may have probes and hooks. */
export function validateInitContainers(containers: readonly Container[] | undefined, path: FieldPath, pod: ContainerSurroundings & { readonly others: readonly Container[] }): FieldError[] {
  const errors: FieldError[] = [];
  const names = new Set(pod.others.map((container) => container.name || ''));
  (containers ?? []).forEach((container, i) => {
    const at = path.index(i);
    errors.push(...validateContainer(container, at, pod));
    const name = container.name || '';
    if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    else if (name !== '') names.add(name);
    errors.push(...hostPortConflicts([container], path));
    if (container.restartPolicy === 'Always') errors.push(...validateProbesAndHooks(container, at, pod.gracePeriodSeconds));
    else for (const field of sidecarOnly) if (container[field] !== undefined) errors.push(forbiddenValue(at.child(field), 'may not be set for init containers without restartPolicy=Always'));
  });
  return errors;
}

function validateContainer(container: Container, path: FieldPath, pod: ContainerSurroundings): FieldError[] {
  const errors = !container.name ? [required(path.child('name'))] : isDNS1123Label(container.name).map((message) => invalidValue(path.child('name'), container.name, message));
  if (!container.image) errors.push(required(path.child('image')));
  const policy: string = container.terminationMessagePolicy ?? '';
  if (policy === '') errors.push(required(path.child('terminationMessagePolicy')));
  else if (policy !== 'File' && policy !== 'FallbackToLogsOnError') errors.push(notSupported(path.child('terminationMessagePolicy'), policy, ['FallbackToLogsOnError', 'File']));
  errors.push(
    ...validatePorts(container.ports, path.child('ports')), ...validateEnv(container.env, path.child('env')), ...validateEnvFrom(container.envFrom, path.child('envFrom')),
    ...validateMounts(container, path.child('volumeMounts'), pod.volumes),
  );
  const pull: string = container.imagePullPolicy ?? '';
  if (pull === '') errors.push(required(path.child('imagePullPolicy')));
  else if (!pullPolicies.includes(pull)) errors.push(notSupported(path.child('imagePullPolicy'), pull, pullPolicies));
  errors.push(...validateResources(container.resources, path.child('resources')));
  return errors;
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
      errors.push(...messages.map((message) => invalidValue(at.child('name'), name, message)));
      if (messages.length === 0) {
        if (names.has(name)) errors.push(duplicate(at.child('name'), name));
        names.add(name);
      }
    }
    if (!port.containerPort) errors.push(required(at.child('containerPort')));
    else errors.push(...isValidPortNum(port.containerPort).map((message) => invalidValue(at.child('containerPort'), port.containerPort, message)));
    if (port.hostPort) errors.push(...isValidPortNum(port.hostPort).map((message) => invalidValue(at.child('hostPort'), port.hostPort, message)));
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

/** Mounts of volumes. Errors about sub-paths name the list, as the reference's do. */
function validateMounts(container: Container, path: FieldPath, volumes: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = [];
  const paths = new Set<string>();
  const devices = container.volumeDevices ?? [];
  (container.volumeMounts ?? []).forEach((mount: VolumeMount, i) => {
    const at = path.index(i);
    const name = mount.name || '';
    const mountPath = mount.mountPath || '';
    if (name === '') errors.push(required(at.child('name')));
    if (!volumes.has(name)) errors.push(valueNotFound(at.child('name'), name));
    if (mountPath === '') errors.push(required(at.child('mountPath')));
    if (paths.has(mountPath)) errors.push(invalidValue(at.child('mountPath'), mountPath, 'must be unique'));
    paths.add(mountPath);
    if (devices.some((device) => device.name === mount.name)) errors.push(invalidValue(at.child('name'), mount.name, 'must not already exist in volumeDevices'));
    if (devices.some((device) => device.devicePath === mount.mountPath)) errors.push(invalidValue(at.child('mountPath'), mount.mountPath, 'must not already exist as a path in volumeDevices'));
    if (mount.subPath) errors.push(...validateRelativePath(mount.subPath, path.child('subPath')));
    if (mount.subPathExpr) {
      if (mount.subPath) errors.push(invalidValue(at.child('subPathExpr'), mount.subPathExpr, 'subPathExpr and subPath are mutually exclusive'));
      errors.push(...validateRelativePath(mount.subPathExpr, path.child('subPathExpr')));
    }
  });
  return errors;
}
