import {
  append,
  byteLength,
  duplicate,
  forbiddenValue,
  invalidValue,
  isDNS1123Subdomain,
  isValidUserId,
  notSupported,
  required,
  tooLong,
  trimSpace,
} from '@kubechain/apimachinery';
import type { FieldError, FieldPath } from '@kubechain/apimachinery';
import type {
  AppArmorProfile,
  PodSecurityContext,
  PodSpec,
  SeccompProfile,
  SecurityContext,
  Sysctl,
  WindowsSecurityContextOptions,
} from '@kubechain/apimachinery/types/core/v1';
import type { Capabilities } from '../../../capabilities.ts';
import { internalForm } from '../../../validation/internal-form.ts';
import { fields, format, items, oneOfIfSet, present } from '../../../validation/rules.ts';
import type { Rule } from '../../../validation/rules.ts';
import { validateRelativePath } from './volume-files.ts';

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];
/** Longest path that the kernel takes. */
const maxProfileLength = 4095;

const userId: Rule<number | undefined> = (id, path) =>
  id === undefined ? [] : isValidUserId(id).map((message) => invalidValue(path, id, message));

const seccompRule = present<SeccompProfile>(({ localhostProfile, type }, path) => {
  const at = path.child('localhostProfile');
  const errors = !type
    ? [required(path.child('type'), 'type is required when seccompProfile is set')]
    : profileTypes.includes(type)
      ? []
      : [notSupported(path.child('type'), type, profileTypes)];
  if (type === 'Localhost')
    append(
      errors,
      localhostProfile === undefined
        ? [required(at, 'must be set when seccomp type is Localhost')]
        : validateRelativePath(localhostProfile, at),
    );
  else if (localhostProfile !== undefined)
    errors.push(
      invalidValue(
        at,
        internalForm('core.SeccompProfile', { localhostProfile, type }),
        'can only be set when seccomp type is Localhost',
      ),
    );
  return errors;
});

/** Rules of an AppArmor profile (ValidateAppArmorProfileField of pkg/apis/core/validation, 1.36). */
export const validateAppArmorProfile = present<AppArmorProfile>(({ localhostProfile, type }, path) => {
  const at = path.child('localhostProfile');
  if (!type) return [required(path.child('type'), 'type is required when appArmorProfile is set')];
  if (!profileTypes.includes(type)) return [notSupported(path.child('type'), type, profileTypes)];
  if (type !== 'Localhost')
    return localhostProfile === undefined
      ? []
      : [invalidValue(at, localhostProfile, 'can only be set when AppArmor type is Localhost')];
  if (localhostProfile === undefined || localhostProfile === '')
    return [required(at, 'must be set when AppArmor type is Localhost')];
  return [
    ...(trimSpace(localhostProfile) === localhostProfile
      ? []
      : [invalidValue(at, localhostProfile, 'must not be padded with whitespace')]),
    ...(byteLength(localhostProfile) > maxProfileLength ? [tooLong(at, maxProfileLength)] : []),
  ];
});

const maxCredentialSpecKiB = 64;
const maxDomain = 256;
const maxUser = 104;
// oxlint-disable-next-line no-control-regex -- what the rule is about
const controlCharacters = /[\u0000-\u001f\u007f]/;
const netBIOS = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const domainLabel = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;
const isDomainName = (text: string): boolean =>
  text.split('.').every((label) => label.length <= 63 && domainLabel.test(label));

/** `DOMAIN\user` of Windows: what is wrong with it. */
function userNameProblems(name: string): string[] {
  if (name === '') return ['runAsUserName cannot be an empty string'];
  if (controlCharacters.test(name)) return ['runAsUserName cannot contain control characters'];
  const parts = name.split('\\');
  if (parts.length > 2) return ['runAsUserName cannot contain more than one backslash'];
  const user = parts.at(-1) ?? '';
  const domain = parts.length === 2 ? (parts[0] ?? '') : undefined;
  return [
    ...(byteLength(domain ?? '') >= maxDomain
      ? [`runAsUserName's Domain length must be under ${maxDomain} characters`]
      : []),
    ...(domain === undefined || netBIOS.test(domain) || isDomainName(domain)
      ? []
      : ["runAsUserName's Domain doesn't match the NetBios nor the DNS format"]),
    ...(user === ''
      ? ["runAsUserName's User cannot be empty"]
      : byteLength(user) > maxUser
        ? [`runAsUserName's User length must not be longer than ${maxUser} characters`]
        : []),
    ...(/^[. ]+$/.test(user) ? ["runAsUserName's User cannot contain only periods or spaces"] : []),
    ...(/["/\\:;|=,+*?<>@[\]]/.test(user)
      ? ['runAsUserName\'s User cannot contain the following characters: "/\\:;|=,+*?<>@[]']
      : []),
  ];
}

const windowsRule = present(
  fields<WindowsSecurityContextOptions>({
    gmsaCredentialSpecName: present(format(isDNS1123Subdomain)),
    gmsaCredentialSpec: present<string>((spec, path) => {
      if (spec === '') return [invalidValue(path, spec, 'gmsaCredentialSpec cannot be an empty string')];
      return byteLength(spec) > maxCredentialSpecKiB * 1024
        ? [invalidValue(path, spec, `gmsaCredentialSpec size must be under ${maxCredentialSpecKiB} KiB`)]
        : [];
    }),
    runAsUserName: present<string>((name, path) =>
      userNameProblems(name).map((message) => invalidValue(path, name, message)),
    ),
  }),
);

/**
 * Security of one container (ValidateSecurityContext of pkg/apis/core/validation, 1.36). `hostUsers`: the pod has the
 * users of its node.
 */
export function validateSecurityContext(
  context: SecurityContext | undefined,
  path: FieldPath,
  {
    capabilities: { allowPrivileged },
    hostUsers,
  }: { readonly capabilities: Capabilities; readonly hostUsers: boolean },
): FieldError[] {
  if (context === undefined) return [];
  const { allowPrivilegeEscalation, capabilities, privileged, procMount } = context;
  const errors: FieldError[] = [];
  if (privileged === true && !allowPrivileged)
    errors.push(forbiddenValue(path.child('privileged'), 'disallowed by cluster policy'));
  append(errors, userId(context.runAsUser, path.child('runAsUser')));
  append(errors, userId(context.runAsGroup, path.child('runAsGroup')));
  append(errors, oneOfIfSet(['Default', 'Unmasked'])(procMount, path.child('procMount')));
  if (hostUsers && procMount === 'Unmasked')
    errors.push(invalidValue(path.child('procMount'), procMount, '`hostUsers` must be false to use `Unmasked`'));
  append(errors, seccompRule(context.seccompProfile, path.child('seccompProfile')));
  if (allowPrivilegeEscalation === false) {
    const refuse = (what: string): void => {
      errors.push(
        invalidValue(
          path,
          internalForm('core.SecurityContext', context),
          `cannot set \`allowPrivilegeEscalation\` to false and ${what}`,
        ),
      );
    };
    if (privileged === true) refuse('`privileged` to true');
    for (const capability of capabilities?.add ?? [])
      if (capability === 'CAP_SYS_ADMIN') refuse('`capabilities.Add` CAP_SYS_ADMIN');
  }
  return [
    ...errors,
    ...windowsRule(context.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmorProfile(context.appArmorProfile, path.child('appArmorProfile')),
  ];
}

const sysctlFormat = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const sysctlRegex = new RegExp(sysctlFormat);
const maxSysctlLength = 253;
const ipcSysctls = ['kernel.msg', 'kernel.shm', 'fs.mqueue.', 'kernel.sem'];

function validateSysctls(
  sysctls: readonly Sysctl[] | undefined,
  path: FieldPath,
  { forgives, spec }: { readonly spec: PodSpec } & Pick<Capabilities, 'forgives'>,
): FieldError[] {
  const names = new Set<string>();
  return items<Sysctl>(({ name = '' }: { name?: string }, at) => {
    const errors: FieldError[] = [];
    if (name === '') errors.push(required(at.child('name')));
    else if (name.length > maxSysctlLength || !sysctlRegex.test(name))
      errors.push(
        invalidValue(
          at.child('name'),
          name,
          `must have at most ${maxSysctlLength} characters and match regex ${sysctlFormat}`,
        ),
      );
    else if (names.has(name)) errors.push(duplicate(at.child('name'), name));
    names.add(name);
    const shared = forgives('sysctls of the host') ? undefined : sharedWithHost(name, spec);
    if (shared !== undefined)
      errors.push(invalidValue(at.child('name'), name, `may not be specified when '${shared}' is true`));
    return errors;
  })(sysctls, path);
}

/** The field by which the pod shares with its host what a sysctl sets (ValidateHostSysctl). */
export function sharedWithHost(
  sysctl: string,
  { hostIPC, hostNetwork }: Pick<PodSpec, 'hostIPC' | 'hostNetwork'>,
): 'hostNetwork' | 'hostIPC' | undefined {
  const dotted = sysctl.replaceAll('/', '.');
  if (hostNetwork === true && dotted.startsWith('net.')) return 'hostNetwork';
  return hostIPC === true && ipcSysctls.some((prefix) => dotted.startsWith(prefix)) ? 'hostIPC' : undefined;
}

/** Security of a pod (validatePodSpecSecurityContext). */
export function validatePodSecurityContext(
  spec: PodSpec,
  path: FieldPath,
  { enabled, forgives }: Capabilities,
): FieldError[] {
  const context: PodSecurityContext = spec.securityContext ?? {};
  const errors = [
    ...userId(context.fsGroup, path.child('fsGroup')),
    ...userId(context.runAsUser, path.child('runAsUser')),
    ...userId(context.runAsGroup, path.child('runAsGroup')),
    ...items(userId)(context.supplementalGroups, path.child('supplementalGroups')),
  ];
  if (spec.shareProcessNamespace === true && spec.hostPID === true)
    errors.push(
      invalidValue(
        path.child('shareProcessNamespace'),
        true,
        'ShareProcessNamespace and HostPID cannot both be enabled',
      ),
    );
  return [
    ...errors,
    ...validateSysctls(context.sysctls, path.child('sysctls'), { spec, forgives }),
    ...oneOfIfSet(['Always', 'OnRootMismatch'])(context.fsGroupChangePolicy, path.child('fsGroupChangePolicy')),
    ...seccompRule(context.seccompProfile, path.child('seccompProfile')),
    ...windowsRule(context.windowsOptions, path.child('windowsOptions')),
    ...validateAppArmorProfile(context.appArmorProfile, path.child('appArmorProfile')),
    ...oneOfIfSet(['Merge', 'Strict'])(context.supplementalGroupsPolicy, path.child('supplementalGroupsPolicy')),
    ...oneOfIfSet(enabled('SELinuxMount') ? ['MountOption', 'Recursive'] : ['Recursive'])(
      context.seLinuxChangePolicy,
      path.child('seLinuxChangePolicy'),
    ),
  ];
}
