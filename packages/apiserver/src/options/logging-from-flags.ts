import type { LoggingOptions } from '../logging/logger.ts';
import type { FlagValues } from './flag-set.ts';
import type { loggingFlags } from './process-flags.ts';

/** Levels and form of log lines by -v, --vmodule and --logging-format. */
export function loggingFromFlags(flags: FlagValues<typeof loggingFlags>): LoggingOptions {
  return {
    verbosity: flags.v,
    format: flags['logging-format'],
    components: new Map([...flags.vmodule].map(([component, level]) => [component, Number(level)])),
  };
}
