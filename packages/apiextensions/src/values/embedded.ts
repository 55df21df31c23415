import {
  append,
  cloneJSON,
  FieldPath,
  compareText,
  decodeStruct,
  invalidValue,
  isDNS1035Label,
  nameIsPathSegment,
  required,
  schemaFor,
  sortedForm,
  validateObjectMeta,
  isPlainObject,
} from '@kubechain/apimachinery';
import type { FieldError, JSONValue, ObjectMeta, StructSchema } from '@kubechain/apimachinery';
import type { ValueSchema } from '../schema/value-schema.ts';

const objectMeta = (): StructSchema => schemaFor('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta') as StructSchema;

export interface CoerceOptions {
  /** Malformed fields are dropped instead of refused: for objects from storage. */
  readonly dropInvalid?: boolean;
  /** Collects unknown fields of metadata, as paths. */
  readonly unknown?: string[];
  readonly path?: FieldPath;
}

/**
 * Reads `object.metadata` as ObjectMeta, in place: unknown fields go, values become canonical.
 * Returns Go's text of what is wrong, which leaves the metadata as it is.
 */
export function coerceMetadata(object: Record<string, unknown>, options: CoerceOptions = {}): string | undefined {
  if (!Object.hasOwn(object, 'metadata')) return undefined;
  const schema = objectMeta();
  const strict = options.unknown !== undefined;
  const report = (texts: readonly string[]): void => {
    const prefix = String((options.path ?? FieldPath.root).child('metadata'));
    for (const text of texts) {
      const name = /^(?:unknown|duplicate) field "(.*)"$/s.exec(text)?.[1];
      if (name !== undefined) options.unknown?.push(`${prefix}.${name}`);
    }
  };
  const decoded = decodeStruct(object['metadata'], schema, { strict });
  if (decoded.value !== undefined) {
    report(decoded.strictErrors);
    // Written back by Go, it has no lists and maps without entries, not even managed fields that a client emptied.
    object['metadata'] = { ...decoded.value };
    return undefined;
  }
  if (options.dropInvalid !== true) return decoded.error;
  const metadata = object['metadata'];
  if (!isPlainObject(metadata)) return 'invalid metadata: expected object';
  const kept: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(metadata)) {
    const one = decodeStruct({ [key]: value }, schema, { strict });
    report(one.strictErrors);
    if (one.value !== undefined) Object.assign(kept, one.value);
  }
  object['metadata'] = kept;
  return undefined;
}

/**
 * Checks the types of apiVersion, kind and metadata of embedded resources and prunes their metadata, in place
 * (apiserver/schema/objectmeta Coerce, 1.36). Returns the first error, if any.
 */
export function coerceEmbedded(
  value: unknown,
  schema: ValueSchema,
  options: CoerceOptions = {},
): FieldError | undefined {
  if (!schema.embedded && !schema.needs.embedded) return undefined;
  return coerce(value, schema, options.path ?? FieldPath.root, options);
}

function coerce(
  value: unknown,
  schema: ValueSchema | undefined,
  path: FieldPath,
  options: CoerceOptions,
): FieldError | undefined {
  if (schema === undefined || (!schema.embedded && !schema.needs.embedded)) return undefined;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) {
      const error = coerce(item, schema.items, path.index(i), options);
      if (error !== undefined) return error;
    }
    return undefined;
  }
  if (!isPlainObject(value)) return undefined;
  for (const key of Object.keys(value).sort(compareText)) {
    if (schema.embedded) {
      const error = coerceMetaField(value, key, path, options);
      if (error !== undefined) return error;
    }
    const property = schema.property(key);
    const error =
      property === undefined
        ? coerce(value[key], schema.additional, path.key(key), options)
        : coerce(value[key], property, path.child(key), options);
    if (error !== undefined) return error;
  }
  return undefined;
}

function coerceMetaField(
  object: Record<string, unknown>,
  key: string,
  path: FieldPath,
  options: CoerceOptions,
): FieldError | undefined {
  if (key === 'apiVersion' || key === 'kind') {
    if (typeof object[key] === 'string') return undefined;
    if (options.dropInvalid !== true) return invalidValue(path.child(key), sortedForm(object[key]), 'must be a string');
    delete object[key];
  } else if (key === 'metadata') {
    // Reading it leaves out what Go leaves out, which is told of all the same.
    const given = options.dropInvalid === true ? undefined : cloneJSON(object[key] as JSONValue);
    const error = coerceMetadata(object, { ...options, path });
    if (error !== undefined && options.dropInvalid !== true)
      return invalidValue(path.child('metadata'), sortedForm(given), error);
  }
  return undefined;
}

/**
 * What is wrong with apiVersion, kind and metadata of embedded resources (apiserver/schema/objectmeta Validate, 1.36).
 */
export function validateEmbedded(value: unknown, schema: ValueSchema, path: FieldPath = FieldPath.root): FieldError[] {
  const errors: FieldError[] = [];
  check(value, schema, path, errors);
  return errors;
}

function check(value: unknown, schema: ValueSchema | undefined, path: FieldPath, errors: FieldError[]): void {
  if (schema === undefined || (!schema.embedded && !schema.needs.embedded)) return;
  if (Array.isArray(value)) {
    for (const [i, item] of value.entries()) check(item, schema.items, path.index(i), errors);
    return;
  }
  if (!isPlainObject(value)) return;
  if (schema.embedded) checkResource(value, path, errors);
  for (const key of Object.keys(value).sort(compareText)) {
    const property = schema.property(key);
    if (property === undefined) check(value[key], schema.additional, path.key(key), errors);
    else check(value[key], property, path.child(key), errors);
  }
}

function checkResource(object: Record<string, unknown>, path: FieldPath, errors: FieldError[]): void {
  const { apiVersion, kind } = object;
  for (const name of ['apiVersion', 'kind']) if (!Object.hasOwn(object, name)) errors.push(required(path.child(name)));
  if (apiVersion !== undefined) {
    if (typeof apiVersion !== 'string')
      errors.push(invalidValue(path.child('apiVersion'), apiVersion, 'must be a string'));
    else if (apiVersion === '') errors.push(invalidValue(path.child('apiVersion'), apiVersion, 'must not be empty'));
    else if (apiVersion.split('/').length > 2)
      errors.push(invalidValue(path.child('apiVersion'), apiVersion, `unexpected GroupVersion string: ${apiVersion}`));
  }
  if (kind !== undefined) {
    if (typeof kind !== 'string') errors.push(invalidValue(path.child('kind'), kind, 'must be a string'));
    else if (kind === '') errors.push(invalidValue(path.child('kind'), kind, 'must not be empty'));
    else {
      const messages = isDNS1035Label(kind.toLowerCase());
      if (messages.length > 0)
        errors.push(
          invalidValue(
            path.child('kind'),
            kind,
            `may have mixed case, but should otherwise match: ${messages.join(',')}`,
          ),
        );
    }
  }
  if (!Object.hasOwn(object, 'metadata')) return;
  const decoded = decodeStruct(object['metadata'], objectMeta());
  if (decoded.value === undefined) {
    errors.push(invalidValue(path.child('metadata'), sortedForm(object['metadata']), decoded.error ?? ''));
    return;
  }
  const meta = decoded.value as ObjectMeta;
  // Embedded resources need no name; upstream sets one to get past that check.
  append(
    errors,
    validateObjectMeta(
      { ...meta, name: (meta.name ?? '') === '' ? 'fakename' : (meta.name ?? '') },
      { namespaced: (meta.namespace ?? '') !== '', validateName: nameIsPathSegment, path: path.child('metadata') },
    ),
  );
}
