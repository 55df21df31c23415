import { stringFlag } from './flag.ts';
import { flagSet } from './flag-set.ts';

/** Where traces go. Source: apiserver/pkg/server/options/tracing.go, 1.36. */
export const tracingFlags = flagSet('Traces', {
  'tracing-config-file': stringFlag('File with apiserver tracing configuration.'),
});
