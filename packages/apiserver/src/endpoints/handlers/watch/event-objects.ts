import type { KubeObject, Status } from '@kubechain/apimachinery';
import type { WatchEvent } from '@kubechain/shared-storage';
import { interpretStorageError } from '../../../registry/storage-errors.ts';
import { errorToStatus } from '../../responses/error-to-status.ts';
import type { RequestScope } from '../request-scope.ts';

/** An object that has nothing but a resourceVersion, and the annotation that ends the initial events. */
export function bookmark(scope: RequestScope, event: Extract<WatchEvent, { type: 'BOOKMARK' }>): KubeObject {
  const annotations = event.initialEventsEnd ? { annotations: { 'k8s.io/initial-events-end': 'true' } } : {};
  return { kind: scope.kind.kind, apiVersion: scope.apiVersion, metadata: { resourceVersion: String(event.revision), ...annotations } };
}

/** The Status of an ERROR event. */
export function watchErrorStatus(scope: RequestScope, error: unknown): Status {
  return errorToStatus(interpretStorageError(error, 'watch', scope.groupResource, ''));
}
