import { notFound } from '@kubechain/apimachinery';
import type { StorageProvider } from '../../storage-provider.ts';

/** Serves componentstatuses: the deprecated list of control plane parts. None register here, so the list is empty. */
export const componentStatusStorage: StorageProvider = () => [['componentstatuses', {
  kind: 'ComponentStatus', namespaced: false, singularName: 'componentstatus', shortNames: ['cs'], deprecationWarning: 'v1 ComponentStatus is deprecated in v1.19+',
  get: (_context, name) => Promise.reject(notFound({ group: '', resource: 'componentstatus' }, name)),
  list: () => Promise.resolve({ items: [], resourceVersion: '', continue: '' }),
}]];
