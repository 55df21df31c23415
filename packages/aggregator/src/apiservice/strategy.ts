import type { KubeObject } from '@kubechain/apimachinery';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { APIService } from './api-service.ts';
import { validateAPIService, validateAPIServiceStatus } from './validation.ts';

/** APIServices: local ones are available from the start (kube-aggregator pkg/registry/apiservice/strategy.go, 1.36). */
export const apiServiceStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  resetFields: ['status'],
  // What names must be depends on the spec.
  rulesLeaveMetadata: true,
  updateChecksMetadata: ['update'],
  prepareForCreate(object, _context) {
    const service = object as APIService;
    delete service.status;
    // Local APIServices are always available: said here, so that they need no second write.
    if ((service.spec as APIService['spec'] | undefined)?.service === undefined)
      service.status = { conditions: [localCondition(service.metadata.creationTimestamp ?? '')] };
  },
  validate: (object) => validateAPIService(object as APIService),
  prepareForUpdate(object, old) {
    keep(object, old, 'status');
  },
  validateUpdate: (object) => validateAPIService(object as APIService),
};

/** The status endpoint. */
export const apiServiceStatusStrategy: Strategy = {
  allowUnconditionalUpdate: false,
  resetFields: ['metadata', 'spec'],
  updateChecksMetadata: ['update'],
  prepareForUpdate(object, old) {
    keep(object, old, 'spec');
    const { labels, annotations, finalizers, ownerReferences } = old.metadata ?? {};
    // In place: what the registry checks next is this very metadata.
    Object.assign(object.metadata ?? {}, { labels, annotations, finalizers, ownerReferences });
  },
  validateUpdate: (object) => validateAPIServiceStatus(object as APIService),
};

/** What the availability controller says of an APIService without a service. */
function localCondition(now: string): {
  readonly type: 'Available';
  readonly status: 'True';
  readonly lastTransitionTime: string;
  readonly reason: string;
  readonly message: string;
} {
  return {
    type: 'Available',
    status: 'True',
    lastTransitionTime: now,
    reason: 'Local',
    message: 'Local APIServices are always available',
  };
}

function keep(object: KubeObject, old: KubeObject, field: string): void {
  if (old[field] === undefined) delete object[field];
  else object[field] = old[field];
}
