import { createStatusStorage } from '@kubechain/apiserver/resources';
import { textField } from '../../field-readers.ts';
import { updateOnly } from '../../update-only.ts';
import { namespaceREST } from './namespace-rest.ts';
import { namespaceFinalizeStrategy, namespaceStatusStrategy, namespaceStrategy, specFinalizers } from './strategy.ts';
import { defaultNamespace } from './defaults.ts';
import { printNamespace } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** namespaces with finalize and status. */
export const namespaceResource = storedResource({
  group: '',
  plural: 'namespaces',
  strategy: namespaceStrategy,
  status: namespaceStatusStrategy,
  defaults: { v1: defaultNamespace },
  row: printNamespace,
  returnDeletedObject: true,
  fields: { 'status.phase': textField('status.phase') },
  hooks: { shouldDeleteDuringUpdate: (namespace) => specFinalizers(namespace).length === 0 },
  main: (store, { clock }) => namespaceREST(store, clock),
  also: (store) => [['namespaces/finalize', updateOnly(createStatusStorage(store, namespaceFinalizeStrategy))]],
});
