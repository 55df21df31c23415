import type { Check } from './check.ts';
import { allowPrivilegeEscalation } from './checks/allow-privilege-escalation.ts';
import { appArmorProfile } from './checks/app-armor-profile.ts';
import { capabilitiesBaseline, capabilitiesRestricted } from './checks/capabilities.ts';
import { hostNamespaces } from './checks/host-namespaces.ts';
import { hostPorts } from './checks/host-ports.ts';
import { hostProbesAndHostLifecycle } from './checks/host-probes.ts';
import { privileged } from './checks/privileged.ts';
import { procMountBaseline, procMountRestricted } from './checks/proc-mount.ts';
import { runAsNonRoot, runAsUser } from './checks/run-as.ts';
import { seLinuxOptions } from './checks/se-linux-options.ts';
import { seccompProfileBaseline, seccompProfileRestricted } from './checks/seccomp-profile.ts';
import { sysctls } from './checks/sysctls.ts';
import { hostPathVolumes, restrictedVolumes } from './checks/volumes.ts';
import { windowsHostProcess } from './checks/windows-host-process.ts';

/** The Pod Security Standards of 1.36, in the order in which violations are told: baseline first, each level by id. */
export const allChecks: readonly Check[] = [
  appArmorProfile,
  capabilitiesBaseline,
  hostNamespaces,
  hostPathVolumes,
  hostPorts,
  hostProbesAndHostLifecycle,
  privileged,
  procMountBaseline,
  seLinuxOptions,
  seccompProfileBaseline,
  sysctls,
  windowsHostProcess,
  allowPrivilegeEscalation,
  capabilitiesRestricted,
  procMountRestricted,
  restrictedVolumes,
  runAsNonRoot,
  runAsUser,
  seccompProfileRestricted,
];
