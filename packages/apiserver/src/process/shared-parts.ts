import type { MetricRegistry } from '@kubechain/shared-storage/metrics';
import type { AdmissionParts } from './admission-parts.ts';
import type { OpenedStorage } from './open-storage.ts';
import type { Security } from './security.ts';
import type { StoredResources } from './stored-resources.ts';

/** Who callers are, what they may do, and what is followed for admission plugins. */
export interface Rights {
  readonly security: Security;
  readonly admission: AdmissionParts;
}

/**
 * What servers of one process have in common, as in kube-apiserver, whose three share their generic configuration:
 * roles, namespaces and the rest are followed once, over one storage.
 */
export interface SharedParts extends Rights {
  readonly storage: OpenedStorage;
  /** Readers of built-in resources. */
  readonly stored: StoredResources;
  /** What these parts count. */
  readonly metrics: MetricRegistry;
}
