import { readFileSync } from 'node:fs';
import type { Clock } from '@kubechain/apimachinery';
import { messageOf } from '@kubechain/apimachinery';
import { apiServerID } from '../options/api-server-id.ts';
import { OptionsError, unusableFlag } from '../options/options-error.ts';
import { OTelTracer } from './otel-tracer.ts';
import { OTLPExporter } from './otlp-exporter.ts';
import {
  readTracingConfiguration,
  TracingConfigurationError,
  type TracingConfiguration,
} from './tracing-configuration.ts';

const flag = 'tracing-config-file';

/** What the tracer of a server is made with. */
export interface OpenTracerOptions {
  /** --tracing-config-file. */
  readonly path: string;
  /** The server's name, by which its spans are told from those of the others. */
  readonly server: string;
  readonly clock: Clock;
}

/** Reads the configuration, and begins to trace. @throws OptionsError that names the flag */
export function openTracer({ clock, path, server }: OpenTracerOptions): OTelTracer {
  const { endpoint, samplingRatePerMillion = 0 } = configurationOf(path);
  return new OTelTracer({
    exporter: new OTLPExporter(endpoint, () => clock.now()),
    samplingRatePerMillion,
    instanceID: apiServerID(),
    server,
  });
}

function configurationOf(path: string): TracingConfiguration {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new OptionsError('Unusable', `${flag} ${path} does not exist`, { cause: error });
    throw unusableFlag(
      flag,
      `unable to read tracing configuration from ${JSON.stringify(path)}: ${messageOf(error)}`,
      error,
    );
  }
  try {
    return readTracingConfiguration(text);
  } catch (error) {
    throw error instanceof TracingConfigurationError ? unusableFlag(flag, error.message, error) : error;
  }
}
