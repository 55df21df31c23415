import type { KubeObject, Status } from '@kubechain/apimachinery';
import type { WatchEvent } from '@kubechain/shared-storage';
import { interpretStorageError } from '../../../registry/storage-errors.ts';
import { errorToStatus } from '../../responses/error-to-status.ts';
import type { RequestScope } from '../request-scope.ts';

/** What conversion from the reference's internal types sets in objects of the apps group that have nothing set. */
interface Converted { readonly spec?: object; readonly annotations?: Readonly<Record<string, string>> }
const scaled: Converted = { spec: { replicas: 0 } };

const setByConversion: ReadonlyMap<string, Converted> = new Map([
  ['Deployment', scaled], ['ReplicaSet', scaled], ['StatefulSet', scaled],
  ['DaemonSet', { annotations: { 'deprecated.daemonset.template.generation': '0' } }],
]);

/** An object that has nothing but a resourceVersion, and the annotation that ends the initial events. */
export function bookmark(scope: RequestScope, event: Extract<WatchEvent, { type: 'BOOKMARK' }>): KubeObject {
  const { spec, annotations: converted } = (scope.kind.group === 'apps' ? setByConversion.get(scope.kind.kind) : undefined) ?? {};
  const annotations = { ...converted, ...(event.initialEventsEnd ? { 'k8s.io/initial-events-end': 'true' } : {}) };
  return {
    kind: scope.kind.kind, apiVersion: scope.apiVersion,
    metadata: { resourceVersion: String(event.revision), ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
    ...(spec === undefined ? {} : { spec }),
  };
}

/** The Status of an ERROR event. */
export function watchErrorStatus(scope: RequestScope, error: unknown): Status {
  return errorToStatus(interpretStorageError(error, 'watch', scope.groupResource, ''));
}
