import {
  aggregateMessage,
  invalidValue,
  isDecodeError,
  messageOf,
  parseURL,
  type FieldError,
  type ScalarSchema,
} from '@kubechain/apimachinery';
import { configurationKinds, textSchema } from '../files/configuration-schema.ts';
import { decodeConfiguration } from '../files/decode-configuration.ts';

const rateSchema: ScalarSchema = { kind: 'scalar', type: 'int32' };
const kinds = configurationKinds(
  { group: 'apiserver.config.k8s.io', kind: 'TracingConfiguration', versions: ['v1', 'v1beta1', 'v1alpha1'] },
  () => ({ endpoint: textSchema, samplingRatePerMillion: rateSchema }),
);
const mostPerMillion = 1_000_000;
const schemes: ReadonlySet<string> = new Set(['dns', 'unix', 'unix-abstract']);

/** A TracingConfiguration (component-base/tracing/api/v1, 1.36). */
export interface TracingConfiguration {
  /** A target of gRPC: `host:port`, `dns:…`, `unix:…`, `unix-abstract:…`. */
  readonly endpoint?: string;
  /** Of requests that nobody else has decided about. */
  readonly samplingRatePerMillion?: number;
}

/** Why a file is no TracingConfiguration, in kube-apiserver's words. */
export class TracingConfigurationError extends Error {
  override readonly name = 'TracingConfigurationError';
}

/** @throws TracingConfigurationError in the words of kube-apiserver 1.36 */
export function readTracingConfiguration(text: string): TracingConfiguration {
  const configuration = decoded(text);
  const errors = problemsOf(configuration);
  if (errors.length > 0)
    throw new TracingConfigurationError(`failed to validate tracing configuration: ${aggregateMessage(errors)}`);
  return configuration;
}

function decoded(text: string): TracingConfiguration {
  try {
    return decodeConfiguration(text, kinds, { strict: true }).fields;
  } catch (error) {
    if (!isDecodeError(error)) throw error;
    const reason = `failed to read tracing config: unable to decode tracing configuration data: ${messageOf(error)}`;
    throw new TracingConfigurationError(reason, { cause: error });
  }
}

function problemsOf({ endpoint, samplingRatePerMillion: rate }: TracingConfiguration): readonly FieldError[] {
  const errors: FieldError[] = [];
  if (rate !== undefined && rate < 0)
    errors.push(invalidValue('samplingRatePerMillion', rate, 'sampling rate must be positive'));
  if (rate !== undefined && rate > mostPerMillion) {
    const detail = 'sampling rate per million must be less than or equal to one million';
    errors.push(invalidValue('samplingRatePerMillion', rate, detail));
  }
  if (endpoint === undefined) return errors;
  const target = endpoint.includes('//') ? endpoint : `dns://${endpoint}`;
  const url = parseURL(target);
  if (typeof url === 'string') errors.push(invalidValue('endpoint', target, url));
  else if (!schemes.has(url.scheme)) {
    const detail =
      `unsupported scheme: ${url.scheme}.  Options are none, dns, unix, or unix-abstract.  ` +
      'See https://github.com/grpc/grpc/blob/master/doc/naming.md';
    errors.push(invalidValue('endpoint', target, detail));
  }
  return errors;
}
