import { limitRangeStrategy } from './strategy.ts';
import { defaultLimitRange } from './defaults.ts';
import { storedResource } from '../../resource.ts';

/** Serves limitranges. */
export const limitRangeResource = storedResource({
  group: '',
  plural: 'limitranges',
  strategy: ({ randomness }) => limitRangeStrategy(randomness.newUID),
  defaults: { v1: defaultLimitRange },
});
