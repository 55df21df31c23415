import type { KubeObject, Status } from '@kubechain/apimachinery';
import type { WatchEvent } from '@kubechain/shared-storage';
import { interpretStorageError } from '../../../registry/storage-errors.ts';
import { errorToStatus } from '../../../responses/error-to-status.ts';
import type { RequestScope } from '../request-scope.ts';
import { fieldAnnotationOf } from '../response/field-annotation.ts';

/**
 * Kinds of the apps group whose replicas are there in the reference's internal type: it writes 0 where nothing is set.
 */
const scaled: ReadonlySet<string> = new Set(['Deployment', 'ReplicaSet', 'StatefulSet']);

/** An object that has nothing but a resourceVersion, and the annotation that ends the initial events. */
export function bookmark(scope: RequestScope, event: Extract<WatchEvent, { type: 'BOOKMARK' }>): KubeObject {
  const field = fieldAnnotationOf(scope.kind);
  const annotations = {
    ...(field === undefined ? {} : { [field]: '0' }),
    ...(event.initialEventsEnd ? { 'k8s.io/initial-events-end': 'true' } : {}),
  };
  return {
    kind: scope.kind.kind,
    apiVersion: scope.apiVersion,
    metadata: {
      resourceVersion: String(event.revision),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    },
    ...(scope.kind.group === 'apps' && scaled.has(scope.kind.kind) ? { spec: { replicas: 0 } } : {}),
  };
}

/** The Status of an ERROR event. */
export function watchErrorStatus(scope: RequestScope, error: unknown): Status {
  return errorToStatus(interpretStorageError(error, 'watch', scope.groupResource, ''));
}
