import { admissionregistrationGroup } from './admissionregistration/group.ts';
import { apiserverInternalGroup } from './apiserverinternal/group.ts';
import { appsGroup } from './apps/group.ts';
import { authenticationGroup } from './authentication/group.ts';
import { authorizationGroup } from './authorization/group.ts';
import { autoscalingGroup } from './autoscaling/group.ts';
import { batchGroup } from './batch/group.ts';
import { certificatesGroup } from './certificates/group.ts';
import { coordinationGroup } from './coordination/group.ts';
import { coreGroup } from './core/group.ts';
import { discoveryGroup } from './discovery/group.ts';
import { eventsGroup } from './events/group.ts';
import { flowcontrolGroup } from './flowcontrol/group.ts';
import { lifecycleGroup } from './lifecycle/group.ts';
import { networkingGroup } from './networking/group.ts';
import { nodeGroup } from './node/group.ts';
import { policyGroup } from './policy/group.ts';
import { rbacGroup } from './rbac/group.ts';
import { resourceGroup } from './resource/group.ts';
import { schedulingGroup } from './scheduling/group.ts';
import { settingsGroup } from './settings/group.ts';
import { storageGroup } from './storage/group.ts';
import { storageMigrationGroup } from './storagemigration/group.ts';
import type { GroupProvider } from './resource.ts';

/** Every API group of kube-apiserver, in the order of its discovery. */
export const builtInGroups: readonly GroupProvider[] = [
  coreGroup,
  appsGroup,
  eventsGroup,
  authenticationGroup,
  authorizationGroup,
  autoscalingGroup,
  batchGroup,
  certificatesGroup,
  networkingGroup,
  policyGroup,
  rbacGroup,
  storageGroup,
  admissionregistrationGroup,
  schedulingGroup,
  coordinationGroup,
  nodeGroup,
  discoveryGroup,
  resourceGroup,
  flowcontrolGroup,
  apiserverInternalGroup,
  storageMigrationGroup,
  lifecycleGroup,
  settingsGroup,
];
