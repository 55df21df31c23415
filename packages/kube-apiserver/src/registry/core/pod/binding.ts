import {
  FieldPath,
  aggregateMessage,
  badRequest,
  conflict,
  formatTime,
  notSupported,
  required,
  unclassifiedError,
} from '@kubechain/apimachinery';
import type { Clock, FieldError, KubeObject, StatusError } from '@kubechain/apimachinery';
import { dryRunUpdate, interpretStorageError } from '@kubechain/apiserver/resources';
import type { RESTContext, RESTStorage, Store } from '@kubechain/apiserver/resources';
import type { UpdateFunction } from '@kubechain/shared-storage';
import { createOnly } from '../../create-only.ts';
import type { PodView } from './strategy.ts';

export interface Binding extends KubeObject {
  target?: { kind?: string; name?: string };
}

/** pods/binding: puts a pod on a node, once (pkg/registry/core/pod/storage BindingREST, 1.36). */
export function podBinding(store: Store, clock: Clock): RESTStorage {
  return createOnly({
    kind: 'Binding',
    namespaced: true,
    check: (object, name) => {
      const binding = object as Binding;
      if (name !== '' && name !== (binding.metadata?.name ?? ''))
        throw badRequest('name in URL does not match name in Binding object');
      const errors = validateBinding(binding);
      if (errors.length > 0) throw bindingError(errors);
    },
    answer: async (object, _name, context) => {
      await assign(store, object as Binding, { ...context, clock, dryRun: context.options.dryRun });
      return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 };
    },
  });
}

/** The reference answers with the bare text of what is wrong, as with an error of its own. */
export function bindingError(errors: readonly FieldError[]): StatusError {
  return unclassifiedError(aggregateMessage(errors));
}

export function validateBinding(binding: Binding): FieldError[] {
  const path = FieldPath.of('target');
  const errors: FieldError[] = [];
  const kind = binding.target?.kind ?? '';
  if (kind !== '' && kind !== 'Node')
    errors.push(notSupported(path.child('kind'), kind, ['Node', '<empty>'], { plain: true }));
  if ((binding.target?.name ?? '') === '') errors.push(required(path.child('name'), ''));
  return errors;
}

async function assign(
  store: Store,
  binding: Binding,
  context: RESTContext & { readonly clock: Clock; readonly dryRun: boolean },
): Promise<void> {
  const name = binding.metadata?.name ?? '';
  const { uid, resourceVersion } = binding.metadata ?? {};
  const update = (pod: KubeObject): KubeObject => {
    refuse(pod, name);
    pod['spec'] = { ...(pod['spec'] as object | undefined), nodeName: binding.target?.name };
    if (pod.metadata !== undefined) {
      if (binding.metadata?.annotations !== undefined)
        pod.metadata.annotations = { ...pod.metadata.annotations, ...binding.metadata.annotations };
      if (binding.metadata?.labels !== undefined)
        pod.metadata.labels = { ...pod.metadata.labels, ...binding.metadata.labels };
    }
    setScheduled(pod, formatTime(context.clock.now()));
    return pod;
  };
  try {
    const key = store.key(context, name);
    const tryUpdate: UpdateFunction = ({ object }) => ({ object: update(object ?? {}) });
    const options = {
      preconditions: {
        ...(uid === undefined || uid === '' ? {} : { uid }),
        ...(resourceVersion === undefined || resourceVersion === '' ? {} : { resourceVersion }),
      },
      signal: context.request.signal,
    };
    if (context.dryRun) await dryRunUpdate(store, key, tryUpdate, options);
    else await store.storage.guaranteedUpdate(key, tryUpdate, options);
  } catch (error) {
    throw interpretStorageError(error, 'update', { group: '', resource: 'pods' }, name);
  }
}

function refuse(pod: KubeObject, name: string): void {
  const spec = (pod as PodView).spec;
  const reason =
    pod.metadata?.deletionTimestamp !== undefined
      ? `pod ${name} is being deleted, cannot be assigned to a host`
      : (spec?.nodeName ?? '') !== ''
        ? `pod ${name} is already assigned to node "${spec?.nodeName ?? ''}"`
        : (spec?.schedulingGates?.length ?? 0) > 0
          ? `pod ${name} has non-empty .spec.schedulingGates`
          : '';
  if (reason !== '') throw conflict({ group: '', resource: 'pods/binding' }, name, reason);
}

function setScheduled(pod: KubeObject, now: string): void {
  const status = (pod['status'] ??= {}) as {
    nominatedNodeName?: string;
    conditions?: { type?: string; status?: string; lastTransitionTime?: string }[];
  };
  // A hint for schedulers that has had its day.
  delete status.nominatedNodeName;
  const others = (status.conditions ?? []).filter((condition) => condition.type !== 'PodScheduled');
  status.conditions = [...others, { type: 'PodScheduled', status: 'True', lastTransitionTime: now }];
}
