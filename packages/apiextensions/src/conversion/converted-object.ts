import {
  goTypeName,
  FieldPath,
  aggregateMessage,
  validateAnnotations,
  validateLabels,
  isPlainObject,
} from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { ConversionError } from './conversion-end.ts';

export interface ConvertedContext {
  /** `conversion webhook for GROUP/VERSION, Kind=KIND` */
  readonly call: string;
  readonly apiVersion: string;
  readonly index: number;
}

/**
 * What a webhook returned for an object: checked to be the same one, with the original's metadata but for labels and
 * annotations (validateConvertedObject and restoreObjectMeta of webhook_converter.go, 1.36).
 * @throws ConversionError `invalid_object`
 */
export function readConverted(original: KubeObject, answer: unknown, context: ConvertedContext): KubeObject {
  const { apiVersion, call, index } = context;
  const converted = (isPlainObject(answer) ? answer : {}) as KubeObject;
  // Go keeps null as no bytes at all.
  if (answer === null) throw failure('unexpected end of JSON input');
  if ((converted.kind ?? '') === '') throw failure(`Object 'Kind' is missing in '${JSON.stringify(answer)}'`);
  if (converted.apiVersion !== apiVersion)
    throw failure(
      `${call} returned invalid object at index ${index}: invalid groupVersion (expected ${apiVersion}, ` +
        `received ${converted.apiVersion ?? ''})`,
    );
  if (converted.kind !== original.kind)
    throw failure(
      `${call} returned invalid object at index ${index}: invalid kind (expected ${original.kind ?? ''}, ` +
        `received ${converted.kind ?? ''})`,
    );
  const difference = differentObject(original, converted);
  if (difference !== undefined) throw failure(`${call} returned invalid object: ${difference}`);
  const problem = restoreMetadata(original, converted);
  if (problem !== undefined) throw failure(`${call} returned invalid metadata: ${problem}`);
  return converted;
}

function differentObject(original: KubeObject, converted: KubeObject): string | undefined {
  const metadata = isPlainObject(converted.metadata) ? converted.metadata : {};
  for (const [what, field] of [
    ['name', 'name'],
    ['namespace', 'namespace'],
    ['UID', 'uid'],
  ] as const) {
    const [before, after] = [original.metadata?.[field] ?? '', text(metadata[field])];
    if (before !== after) return `must have the same ${what}: ${before} != ${after}`;
  }
  return undefined;
}

function restoreMetadata(original: KubeObject, converted: KubeObject): string | undefined {
  if (!Object.hasOwn(converted, 'metadata')) return 'missing metadata in converted object';
  const answered: unknown = converted.metadata;
  if (!isPlainObject(answered)) return `invalid metadata of type ${goTypeName(answered)} in converted object`;
  const metadata: Record<string, unknown> = { ...original.metadata };
  for (const field of ['labels', 'annotations'] as const) {
    const given = answered[field];
    if (given === undefined || given === null) {
      delete metadata[field];
      continue;
    }
    if (!isPlainObject(given)) return `invalid metadata.${field} of type ${goTypeName(given)} in converted object`;
    for (const [key, value] of Object.entries(given))
      if (typeof value !== 'string')
        return `metadata.${field}[${key}] must be a string, but is ${goTypeName(value)} in converted object`;
    const strings = given as Record<string, string>;
    const errors =
      field === 'labels'
        ? validateLabels(strings, FieldPath.of('metadata', 'labels'))
        : validateAnnotations(strings, FieldPath.of('metadata', 'annotation'));
    if (errors.length > 0 && changed(original.metadata?.[field], strings)) return aggregateMessage(errors);
    metadata[field] = strings;
  }
  converted.metadata = metadata;
  return undefined;
}

function changed(
  before: Readonly<Record<string, string>> | undefined,
  after: Readonly<Record<string, string>>,
): boolean {
  const keys = Object.keys(after);
  return (
    before === undefined || Object.keys(before).length !== keys.length || keys.some((key) => before[key] !== after[key])
  );
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function failure(message: string): ConversionError {
  return new ConversionError('invalid_object', message);
}
