import { createStatusStorage } from '@kubechain/apiserver';
import { textField } from '../../field-readers.ts';
import type { StorageProvider } from '../../storage-provider.ts';
import { updateOnly } from '../../update-only.ts';
import { namespaceREST } from './namespace-rest.ts';
import { namespaceFinalizeStrategy, namespaceStatusStrategy, namespaceStrategy, specFinalizers } from './strategy.ts';

/** Serves namespaces with finalize and status. */
export const namespaceStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '',
    plural: 'namespaces',
    strategy: namespaceStrategy,
    returnDeletedObject: true,
    fields: { 'status.phase': textField('status.phase') },
    hooks: { shouldDeleteDuringUpdate: (namespace) => specFinalizers(namespace).length === 0 },
  });
  return [
    ['namespaces', namespaceREST(store, context.clock)],
    ['namespaces/finalize', updateOnly(createStatusStorage(store, namespaceFinalizeStrategy))],
    ['namespaces/status', createStatusStorage(store, namespaceStatusStrategy)],
  ];
};
