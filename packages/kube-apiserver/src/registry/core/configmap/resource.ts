import { configMapStrategy } from './strategy.ts';
import { printConfigMap } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves configmaps. */
export const configMapResource = storedResource({
  group: '',
  plural: 'configmaps',
  strategy: configMapStrategy,
  row: printConfigMap,
});
