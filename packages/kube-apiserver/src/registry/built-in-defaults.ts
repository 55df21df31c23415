import { builtinScheme } from '@kubechain/apimachinery';
import type { Clock, Defaulter, KubeObject, Scheme } from '@kubechain/apimachinery';
import {
  defaultAdmissionPolicy,
  defaultAdmissionPolicyBinding,
  defaultMutatingWebhookConfiguration,
  defaultValidatingWebhookConfiguration,
} from './admissionregistration/defaults.ts';
import { defaultDaemonSet } from './apps/daemonset/defaults.ts';
import { defaultDeployment } from './apps/deployment/defaults.ts';
import { defaultReplicaSet } from './apps/replicaset/defaults.ts';
import { defaultStatefulSet } from './apps/statefulset/defaults.ts';
import { defaultTokenRequest } from './authentication/tokenrequest-defaults.ts';
import {
  defaultHorizontalPodAutoscaler,
  defaultHorizontalPodAutoscalerV1,
} from './autoscaling/horizontalpodautoscaler/defaults.ts';
import { defaultCronJob } from './batch/cronjob/defaults.ts';
import { defaultJob } from './batch/job/defaults.ts';
import { defaultEndpoints } from './core/endpoints/defaults.ts';
import { defaultLimitRange } from './core/limitrange/defaults.ts';
import { defaultNamespace } from './core/namespace/defaults.ts';
import { defaultNode } from './core/node/defaults.ts';
import { defaultPersistentVolume } from './core/persistentvolume/defaults.ts';
import { defaultPersistentVolumeClaim } from './core/persistentvolumeclaim/defaults.ts';
import { defaultPod } from './core/pod/defaults.ts';
import { defaultPodTemplate } from './core/podtemplate/defaults.ts';
import { defaultReplicationController } from './core/replicationcontroller/defaults.ts';
import { defaultResourceQuota } from './core/resourcequota/defaults.ts';
import { defaultSecret } from './core/secret/defaults.ts';
import { defaultService } from './core/service/defaults.ts';
import { defaultEndpointSlice } from './discovery/endpointslice/defaults.ts';
import { defaultFlowSchema } from './flowcontrol/flowschema/defaults.ts';
import { defaultPriorityLevelConfiguration } from './flowcontrol/prioritylevelconfiguration/defaults.ts';
import { defaultIngressClass } from './networking/ingressclass/defaults.ts';
import { defaultNetworkPolicy } from './networking/networkpolicy/defaults.ts';
import { defaultBinding } from './rbac/defaults.ts';
import { defaultResourceClaim, defaultResourceClaimTemplate, resourceSliceDefaulter } from './resource/defaults.ts';
import { defaultPriorityClass } from './scheduling/priorityclass/defaults.ts';
import { defaultCSIDriver } from './storage/csidriver/defaults.ts';
import { defaultStorageClass } from './storage/storageclass/defaults.ts';
import { defaultVolumeAttachment } from './storage/volumeattachment/defaults.ts';

/** A defaulting function of one kind, which it may take to have the kind's shape: decoding has checked that. */
function row<T>(apiVersion: string, kind: string, apply: (object: T) => void): Defaulter {
  const slash = apiVersion.indexOf('/');
  return {
    gvk: { group: slash < 0 ? '' : apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1), kind },
    apply: apply as unknown as (object: KubeObject) => void,
  };
}

const rows = (clock: Clock): readonly Defaulter[] => [
  row('v1', 'Pod', defaultPod),
  row('v1', 'PodTemplate', defaultPodTemplate),
  row('v1', 'ReplicationController', defaultReplicationController),
  row('v1', 'Service', defaultService),
  row('v1', 'Endpoints', defaultEndpoints),
  row('v1', 'Namespace', defaultNamespace),
  row('v1', 'Node', defaultNode),
  row('v1', 'PersistentVolume', defaultPersistentVolume),
  row('v1', 'PersistentVolumeClaim', defaultPersistentVolumeClaim),
  row('v1', 'Secret', defaultSecret),
  row('v1', 'LimitRange', defaultLimitRange),
  row('v1', 'ResourceQuota', defaultResourceQuota),
  row('apps/v1', 'Deployment', defaultDeployment),
  row('apps/v1', 'DaemonSet', defaultDaemonSet),
  row('apps/v1', 'StatefulSet', defaultStatefulSet),
  row('apps/v1', 'ReplicaSet', defaultReplicaSet),
  row('batch/v1', 'Job', defaultJob),
  row('batch/v1', 'CronJob', defaultCronJob),
  row('autoscaling/v1', 'HorizontalPodAutoscaler', defaultHorizontalPodAutoscalerV1),
  row('autoscaling/v2', 'HorizontalPodAutoscaler', defaultHorizontalPodAutoscaler),
  row('discovery.k8s.io/v1', 'EndpointSlice', defaultEndpointSlice),
  row('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', defaultFlowSchema),
  row('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', defaultPriorityLevelConfiguration),
  row('networking.k8s.io/v1', 'NetworkPolicy', defaultNetworkPolicy),
  row('networking.k8s.io/v1', 'IngressClass', defaultIngressClass),
  row('rbac.authorization.k8s.io/v1', 'RoleBinding', defaultBinding),
  row('rbac.authorization.k8s.io/v1', 'ClusterRoleBinding', defaultBinding),
  row('scheduling.k8s.io/v1', 'PriorityClass', defaultPriorityClass),
  row('storage.k8s.io/v1', 'StorageClass', defaultStorageClass),
  row('storage.k8s.io/v1', 'CSIDriver', defaultCSIDriver),
  row('storage.k8s.io/v1', 'VolumeAttachment', defaultVolumeAttachment),
  row('admissionregistration.k8s.io/v1', 'ValidatingWebhookConfiguration', defaultValidatingWebhookConfiguration),
  row('admissionregistration.k8s.io/v1', 'MutatingWebhookConfiguration', defaultMutatingWebhookConfiguration),
  row('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicy', defaultAdmissionPolicy),
  row('admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicy', defaultAdmissionPolicy),
  row('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', defaultAdmissionPolicyBinding),
  row('admissionregistration.k8s.io/v1', 'MutatingAdmissionPolicyBinding', defaultAdmissionPolicyBinding),
  row('resource.k8s.io/v1', 'ResourceClaim', defaultResourceClaim),
  row('resource.k8s.io/v1', 'ResourceClaimTemplate', defaultResourceClaimTemplate),
  row('resource.k8s.io/v1', 'ResourceSlice', resourceSliceDefaulter(clock)),
  row('authentication.k8s.io/v1', 'TokenRequest', defaultTokenRequest),
];

/**
 * The scheme of one server: all built-in kinds with their defaulting functions. `clock`: for what is stamped by
 * defaulting.
 */
export function builtInScheme(clock: Clock): Scheme {
  return builtinScheme().withDefaulters(rows(clock));
}
