import type { StorageProvider } from '../../storage-provider.ts';
import { limitRangeStrategy } from './strategy.ts';

/** Serves limitranges. */
export const limitRangeStorage: StorageProvider = (context) => {
  const store = context.store({ group: '', plural: 'limitranges', strategy: limitRangeStrategy });
  return [['limitranges', store]];
};
