import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';

export interface APIServiceCondition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}

/** apiregistration.k8s.io/v1 APIService. Without `service` the group version is served by the chain itself. */
export interface APIService extends KubeObject {
  metadata: ObjectMeta;
  spec: {
    readonly service?: { readonly namespace?: string; readonly name?: string; readonly port?: number };
    readonly group?: string;
    readonly version?: string;
    readonly insecureSkipTLSVerify?: boolean;
    readonly caBundle?: string;
    readonly groupPriorityMinimum: number;
    readonly versionPriority: number;
  };
  status?: { conditions?: APIServiceCondition[] };
}

/** The group that the aggregator serves itself. */
export const apiRegistrationGroup = 'apiregistration.k8s.io';
/** The resource of APIServices. */
export const apiServicesResource = { group: apiRegistrationGroup, resource: 'apiservices' };

/** Says who keeps an APIService: `onstart` (built-in groups), `true` (CRD groups), or nobody but its author. */
export const autoManagedLabel = 'kube-aggregator.kubernetes.io/automanaged';

/** `v1.apps`; `v1.` for the core group. */
export function apiServiceName(group: string, version: string): string {
  return `${version}.${group}`;
}
