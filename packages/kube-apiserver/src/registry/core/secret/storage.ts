import type { StorageProvider } from '../../storage-provider.ts';
import { textField } from '../../field-readers.ts';
import { secretStrategy } from './strategy.ts';

/** Serves secrets. */
export const secretStorage: StorageProvider = (context) => {
  const store = context.store({
    group: '',
    plural: 'secrets',
    strategy: secretStrategy,
    fields: { type: textField('type') },
  });
  return [['secrets', store]];
};
