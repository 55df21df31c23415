import type { KubeObject } from '@kubechain/apimachinery';

/** In which version servers store a resource (internal.apiserver.k8s.io/v1alpha1). */
export interface StorageVersion extends KubeObject {
  readonly status?: {
    readonly storageVersions?: readonly ServerStorageVersion[];
    /** That of all servers, where they agree. */
    readonly commonEncodingVersion?: string;
    readonly conditions?: readonly StorageVersionCondition[];
  };
}

/** What one server writes, reads and serves. */
export interface ServerStorageVersion {
  readonly apiServerID?: string;
  readonly encodingVersion?: string;
  readonly decodableVersions?: readonly string[];
  readonly servedVersions?: readonly string[];
}

/** What is so of all servers, since when, and why. */
export interface StorageVersionCondition {
  readonly type?: string;
  readonly status?: string;
  readonly lastTransitionTime?: string;
  readonly reason?: string;
  readonly message?: string;
}
