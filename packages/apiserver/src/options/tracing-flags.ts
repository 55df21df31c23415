import { fileFlag } from './file-flag.ts';
import {} from './flag.ts';
import { flagSet } from './flag-set.ts';

/** Where traces go. Source: apiserver/pkg/server/options/tracing.go, 1.36. */
export const tracingFlags = flagSet('Traces', {
  'tracing-config-file': fileFlag('File with apiserver tracing configuration.'),
});
