import type { RESTStorage } from '@kubechain/apiserver/resources';
import type { ResourceEntry } from '../../storage-provider.ts';

/** The old `bindings` endpoint: pods/binding with the pod's name in the body alone. */
export function bindingEntry(podBinding: RESTStorage): ResourceEntry {
  return ['bindings', { ...podBinding, kind: 'Binding', namespaced: true, singularName: 'binding' }];
}
