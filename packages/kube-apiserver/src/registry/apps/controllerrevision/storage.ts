import type { StorageProvider } from '../../storage-provider.ts';
import { controllerRevisionStrategy } from './strategy.ts';

/** Serves controllerrevisions. */
export const controllerRevisionStorage: StorageProvider = (context) => {
  const store = context.store({ group: 'apps', plural: 'controllerrevisions', strategy: controllerRevisionStrategy });
  return [['controllerrevisions', store]];
};
