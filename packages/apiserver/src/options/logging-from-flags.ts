import type { LoggingOptions } from '../logging/logger.ts';
import type { FeatureGates } from './feature-gates.ts';
import type { FlagValues } from './flag-set.ts';
import { unusableFlag } from './options-error.ts';
import type { loggingFlags } from './process-flags.ts';

const splitFlags = ['log-json-split-stream', 'log-text-split-stream'] as const;

/** Levels and form of log lines by -v, --vmodule and --logging-format. */
export function loggingFromFlags(flags: FlagValues<typeof loggingFlags>): LoggingOptions {
  return {
    verbosity: flags.v,
    format: flags['logging-format'],
    splitStream: flags[`log-${flags['logging-format']}-split-stream`],
    components: new Map([...flags.vmodule].map(([component, level]) => [component, Number(level)])),
  };
}

/** @throws OptionsError where lines are to be split and the feature gate for that is off */
export function refuseSplitStreams(
  flags: Pick<FlagValues<typeof loggingFlags>, (typeof splitFlags)[number]> | undefined,
  featureGates: FeatureGates,
): void {
  const given = splitFlags.find((name) => flags?.[name] === true);
  if (given !== undefined && !featureGates.enabled('LoggingAlphaOptions'))
    throw unusableFlag(given, 'Feature LoggingAlphaOptions is disabled');
}
