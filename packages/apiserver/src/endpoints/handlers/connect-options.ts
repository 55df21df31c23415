import { badRequest, goQuote, isFormatError, parseRFC3339 } from '@kubechain/apimachinery';
import type { KubeObject, Schema } from '@kubechain/apimachinery';
import { RegistryError } from '../../registry/registry-error.ts';
import type { RequestScope } from './request-scope.ts';

type Scalar = string | number | boolean;

/**
 * Reads the options object of connections (PodExecOptions and the like) out of queries, as Go converts url.Values: what
 * a query does not name stays absent, of repeated parameters that are no lists the first counts. Options with a `path`
 * get it from the request's path.
 * @throws RegistryError when the kind of the options is unknown; the reader throws StatusError BadRequest for values
 * that cannot be read
 */
export function connectOptions({
  apiVersion,
  kind,
  scheme,
  storage,
}: Pick<RequestScope, 'apiVersion' | 'kind' | 'scheme' | 'storage'>): (
  query: URLSearchParams,
  path: string,
) => KubeObject {
  const optionsKind = storage.connectOptionsKind ?? kind.kind;
  const schema = scheme.kind({ ...kind, kind: optionsKind })?.schema;
  if (schema?.kind !== 'struct') throw new RegistryError(`options of kind ${optionsKind} are unknown`);
  const fields = [...schema.fields.values()].filter(
    ({ name }) => name !== 'kind' && name !== 'apiVersion' && name !== 'path',
  );
  const hasPath = schema.fields.has('path');
  return (query, path) => {
    const options: KubeObject = { kind: optionsKind, apiVersion };
    if (hasPath) options['path'] = path;
    for (const field of fields) {
      const values = query.getAll(field.name);
      if (values.length === 0) continue;
      const value =
        field.schema.kind === 'list' ? listOf(field.schema.items, values) : scalarOf(field.schema, values[0] as string);
      if (value !== undefined) options[field.name] = value;
    }
    return options;
  };
}

/** Lists of numbers may be written with commas. */
function listOf(items: Schema, values: readonly string[]): Scalar[] {
  if (items.kind === 'scalar' && items.type === 'string') return [...values];
  return values
    .flatMap((value) => value.split(','))
    .map((text) => {
      if (!/^\d+$/.test(text))
        throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(text)}: invalid syntax`);
      if (BigInt(text) > 0xffffn)
        throw badRequest(`cannot convert to []int32: strconv.ParseUint: parsing ${goQuote(text)}: value out of range`);
      return Number(text);
    });
}

function scalarOf(schema: Schema, text: string): Scalar | undefined {
  if (schema.kind !== 'scalar') return undefined;
  switch (schema.type) {
    // A parameter without a value is a switch that is on.
    case 'boolean':
      return text.toLowerCase() !== 'false' && text !== '0';
    case 'int32':
    case 'int64':
      return integerOf(text);
    case 'time':
      return timeOf(text);
    default:
      return text;
  }
}

function integerOf(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: invalid syntax`);
  const value = BigInt(text.replace('+', ''));
  if (BigInt.asIntN(64, value) !== value)
    throw badRequest(`strconv.ParseInt: parsing ${goQuote(text)}: value out of range`);
  return Number(value);
}

/** Checked, and kept as it was written. An empty time is the zero time. */
function timeOf(text: string): string {
  if (text === '' || text === 'null') return '0001-01-01T00:00:00Z';
  try {
    parseRFC3339(text);
  } catch (error) {
    if (isFormatError(error)) throw badRequest(error.message);
    throw error;
  }
  return text;
}
