import { notFound } from '@kubechain/apimachinery';
import type { StorageProvider } from '../../storage-provider.ts';

/** Serves componentstatuses: the deprecated list of control plane parts. None register here, so the list is empty. */
export const componentStatusStorage: StorageProvider = () => [['componentstatuses', {
  kind: 'ComponentStatus', namespaced: false, singularName: 'componentstatus', shortNames: ['cs'],
  get: (_context, name) => Promise.reject(notFound({ group: '', resource: 'componentstatuses' }, name)),
  list: () => Promise.resolve({ items: [], resourceVersion: '', continue: '' }),
}]];
