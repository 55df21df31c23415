import type { Defaulter, KubeObject } from '@kubechain/apimachinery';
import type {
  DaemonSet,
  DaemonSetSpec,
  Deployment,
  DeploymentSpec,
  ReplicaSet,
  StatefulSet,
  StatefulSetSpec,
} from '@kubechain/apimachinery/types/apps/v1';
import type { Ingress } from '@kubechain/apimachinery/types/networking/v1';
import { defaultDaemonSet } from '../apps/daemonset/defaults.ts';
import { defaultDeployment } from '../apps/deployment/defaults.ts';
import { defaultReplicaSet } from '../apps/replicaset/defaults.ts';
import { defaultStatefulSet } from '../apps/statefulset/defaults.ts';
import { defaultCronJob } from '../batch/cronjob/defaults.ts';
import { defaultIngressClass } from '../networking/ingressclass/defaults.ts';
import { defaultNetworkPolicy } from '../networking/networkpolicy/defaults.ts';
import { defaultBinding } from '../rbac/defaults.ts';
import { defaultPodPreset } from '../settings/podpreset/defaults.ts';

/*
 * What removed versions set (pkg/apis/GROUP/VERSION/defaults.go, 1.36, which keeps them). What they leave open gets the
 * defaults of today's version: the reference sets those when it reads what it has stored.
 */

const forever = 2_147_483_647;

type Workload = Deployment | DaemonSet | ReplicaSet | StatefulSet;

/** Selector and labels are those of the template, where nothing else is said. */
function fromTemplate(workload: Workload): void {
  const labels = workload.spec?.template?.metadata?.labels;
  if (workload.spec === undefined || labels === undefined) return;
  // An old manifest has no selector, which the type of today asks for.
  (workload.spec as { selector?: object }).selector ??= { matchLabels: { ...labels } };
  const metadata = (workload.metadata ??= {});
  if (Object.keys(metadata.labels ?? {}).length === 0) metadata.labels = { ...labels };
}

function defaultOldDeployment(deployment: Deployment): void {
  fromTemplate(deployment);
  const spec = (deployment.spec ??= {} as DeploymentSpec);
  const strategy = (spec.strategy ??= {});
  strategy.type ||= 'RollingUpdate';
  if (strategy.type === 'RollingUpdate' || strategy.rollingUpdate !== undefined) {
    const update = (strategy.rollingUpdate ??= {});
    update.maxUnavailable ??= 1;
    update.maxSurge ??= 1;
  }
  spec.progressDeadlineSeconds ??= forever;
  spec.revisionHistoryLimit ??= forever;
  defaultDeployment(deployment);
}

function defaultBetaDeployment(deployment: Deployment): void {
  fromTemplate(deployment);
  (deployment.spec ??= {} as DeploymentSpec).revisionHistoryLimit ??= 2;
  defaultDeployment(deployment);
}

function defaultOldDaemonSet(set: DaemonSet): void {
  fromTemplate(set);
  ((set.spec ??= {} as DaemonSetSpec).updateStrategy ??= {}).type ||= 'OnDelete';
  defaultDaemonSet(set);
}

function defaultOldReplicaSet(set: ReplicaSet): void {
  fromTemplate(set);
  defaultReplicaSet(set);
}

function defaultBetaStatefulSet(set: StatefulSet): void {
  fromTemplate(set);
  ((set.spec ??= {} as StatefulSetSpec).updateStrategy ??= {}).type ||= 'OnDelete';
  defaultStatefulSet(set);
}

function defaultOldIngress({ spec }: Ingress): void {
  for (const { http } of spec?.rules ?? [])
    for (const path of http?.paths ?? []) (path as { pathType?: string }).pathType ??= 'ImplementationSpecific';
}

type Defaults = (object: never) => void;

const byVersion: Readonly<Record<string, Readonly<Record<string, Defaults>>>> = {
  'extensions/v1beta1': {
    DaemonSet: defaultOldDaemonSet,
    Deployment: defaultOldDeployment,
    Ingress: defaultOldIngress,
    NetworkPolicy: defaultNetworkPolicy,
    ReplicaSet: defaultOldReplicaSet,
  },
  'apps/v1beta2': {
    DaemonSet: defaultDaemonSet,
    Deployment: defaultDeployment,
    ReplicaSet: defaultReplicaSet,
    StatefulSet: defaultStatefulSet,
  },
  'apps/v1beta1': { Deployment: defaultBetaDeployment, StatefulSet: defaultBetaStatefulSet },
  'batch/v1beta1': { CronJob: defaultCronJob },
  'networking.k8s.io/v1beta1': { Ingress: defaultOldIngress, IngressClass: defaultIngressClass },
  'rbac.authorization.k8s.io/v1beta1': { ClusterRoleBinding: defaultBinding, RoleBinding: defaultBinding },
  'settings.k8s.io/v1alpha1': { PodPreset: defaultPodPreset },
};

/** Of kinds in versions that are served only where `--legacy-apis` asks for them, but may be stored all the same. */
export const legacyDefaulters: readonly Defaulter[] = Object.entries(byVersion).flatMap(([groupVersion, kinds]) => {
  const [group = '', version = ''] = groupVersion.split('/');
  return Object.entries(kinds).map(([kind, apply]) => ({
    gvk: { group, version, kind },
    apply: apply as (object: KubeObject) => void,
  }));
});
