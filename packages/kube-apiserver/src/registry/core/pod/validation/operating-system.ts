import { forbiddenValue, invalidValue, notSupported, required } from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type { PodSpec } from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../../capabilities.ts';
import { allContainers } from './container.ts';

const systems = ['linux', 'windows'];
/** Fields of a security context that mean nothing to Windows, in the order of the reference's answers. */
const notOnWindowsPods = [
  'appArmorProfile',
  'seLinuxOptions',
  'hostUsers',
  'hostPID',
  'hostIPC',
  'seccompProfile',
  'fsGroup',
  'fsGroupChangePolicy',
  'sysctls',
  'shareProcessNamespace',
  'runAsUser',
  'runAsGroup',
  'supplementalGroups',
  'supplementalGroupsPolicy',
  'seLinuxChangePolicy',
] as const;
const notInWindowsContainers = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
] as const;
/** Published beside the security context, kept in it. */
const specFields: ReadonlySet<string> = new Set(['hostUsers', 'hostPID', 'hostIPC', 'shareProcessNamespace']);
/** Booleans that count only when they are true. */
const plainBooleans: ReadonlySet<string> = new Set(['hostPID', 'hostIPC']);

/** spec.os, and what goes with it (validateOS, validateLinux and validateWindows of pkg/apis/core/validation, 1.36). */
export function validateOperatingSystem(spec: PodSpec, path: FieldPath, { since }: Capabilities): FieldError[] {
  if (spec.os === undefined) return [];
  const { name } = spec.os;
  if (!name) return [required(path.child('os', 'name'))];
  if (!systems.includes(name)) return [notSupported(path.child('os'), name, systems)];
  return name === 'windows' ? validateWindows(spec, path, since) : validateLinux(spec, path);
}

function validateLinux(spec: PodSpec, path: FieldPath): FieldError[] {
  const contexts = [[spec, path] as const, ...allContainers(spec, path)];
  return contexts.flatMap(([{ securityContext }, at]) =>
    securityContext?.windowsOptions === undefined
      ? []
      : [
          forbiddenValue(
            at.child('securityContext', 'windowsOptions'),
            'windows options cannot be set for a linux pod',
          ),
        ],
  );
}

function validateWindows(spec: PodSpec, path: FieldPath, since: Capabilities['since']): FieldError[] {
  const refuse = (at: FieldPath): FieldError => forbiddenValue(at, 'cannot be set for a windows pod');
  const own = { ...spec, ...spec.securityContext } as unknown as Readonly<Record<string, unknown>>;
  const isSet = (field: string): boolean =>
    plainBooleans.has(field)
      ? own[field] === true
      : field === 'sysctls'
        ? ((own[field] as readonly unknown[] | undefined) ?? []).length > 0
        : own[field] !== undefined;
  // Fields of the spec itself come last since 1.37.
  const order = since('1.37') ? [false, true] : [undefined];
  const fields = order.flatMap((ofSpec) =>
    notOnWindowsPods.filter((field) => ofSpec === undefined || specFields.has(field) === ofSpec),
  );
  return [
    ...fields
      .filter(isSet)
      .map((field) => refuse(specFields.has(field) ? path.child(field) : path.child('securityContext', field))),
    ...allContainers(spec, path).flatMap(([{ securityContext }, at]) =>
      notInWindowsContainers
        .filter((field) => securityContext?.[field] !== undefined)
        .map((field) => refuse(at.child('securityContext', field))),
    ),
  ];
}

/**
 * Containers with the rights of the Windows node: all of a pod or none, on the node's network
 * (validateWindowsHostProcessPod).
 */
export function validateWindowsHostProcess(
  spec: PodSpec,
  path: FieldPath,
  { allowPrivileged }: Capabilities,
): FieldError[] {
  const errors: FieldError[] = [];
  const ofPod = spec.securityContext?.windowsOptions?.hostProcess;
  const containers = allContainers(spec, path);
  let count = 0;
  for (const [{ securityContext }, at] of containers) {
    const own = securityContext?.windowsOptions?.hostProcess;
    if (ofPod !== undefined && own !== undefined && ofPod !== own)
      errors.push(
        invalidValue(
          at.child('securityContext', 'windowsOptions', 'hostProcess'),
          own,
          `pod hostProcess value must be identical if both are specified, was ${ofPod}`,
        ),
      );
    if (own ?? ofPod ?? false) count++;
  }
  if (count === 0) return errors;
  if (count !== containers.length)
    errors.push(
      invalidValue(
        path,
        '',
        'If pod contains any hostProcess containers then all containers must be HostProcess containers',
      ),
    );
  if (spec.hostNetwork !== true)
    errors.push(
      invalidValue(
        path.child('hostNetwork'),
        false,
        'hostNetwork must be true if pod contains any hostProcess containers',
      ),
    );
  if (!allowPrivileged) errors.push(forbiddenValue(path, 'hostProcess containers are disallowed by cluster policy'));
  return errors;
}
