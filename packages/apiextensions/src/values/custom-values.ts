import { append, goTypeName, FieldPath, FormatError, compareText, goValue } from '@kubechain/apimachinery';
import type { FieldError, KubeObject } from '@kubechain/apimachinery';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { ValueSchema } from '../schema/value-schema.ts';
import { Correlation } from './correlation.ts';
import type { SpentTime } from './correlation.ts';
import { applyDefaults, pruneNulls } from './default.ts';
import type { DefaultsOptions } from './default.ts';
import { coerceEmbedded, coerceMetadata, validateEmbedded } from './embedded.ts';
import { validateListTypes } from './list-types.ts';
import { Outcome, toFieldErrors } from './outcome.ts';
import { prune } from './prune.ts';
import { Validator } from './validator.ts';

/** A CRD version without a schema keeps everything. */
const keepEverything: JSONSchemaProps = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const instances = new WeakMap<JSONSchemaProps, CustomValues>();

export interface CoercionOptions {
  /** For objects from storage: malformed metadata is dropped instead of refused. */
  readonly dropInvalidMetadata?: boolean;
  /** Return the paths of unknown fields. */
  readonly unknownFields?: boolean;
}

/** What a CRD version's schema does to its objects, except for CEL rules. One per schema; compiled when first used. */
export class CustomValues {
  /** For the parts that walk schemas, such as CEL rules. */
  readonly schema: ValueSchema;
  readonly #root: ValueSchema;
  readonly #validator: Validator;

  private constructor(props: JSONSchemaProps) {
    this.schema = ValueSchema.of(props);
    this.#root = this.schema.asRoot();
    this.#validator = Validator.of(props);
  }

  static of(props: JSONSchemaProps = keepEverything): CustomValues {
    let values = instances.get(props);
    if (values === undefined) instances.set(props, (values = new CustomValues(props)));
    return values;
  }

  /**
   * Makes a decoded object fit its schema, in place: unknown fields and disallowed nulls go, metadata (of embedded
   * resources too) is read as ObjectMeta. For every object that comes from bytes or from a conversion webhook;
   * defaults come after it (customresource_handler.go unstructuredSchemaCoercer, 1.36).
   *
   * @returns paths of unknown fields if asked for: of the metadata, of the object, of embedded metadata; sorted each
   * @throws FormatError with upstream's text
   */
  coerce(object: KubeObject, options: CoercionOptions = {}): string[] {
    const track = options.unknownFields === true;
    const dropInvalid = options.dropInvalidMetadata === true;
    for (const name of ['kind', 'apiVersion']) {
      const value: unknown = object[name];
      if (value !== undefined && typeof value !== 'string')
        throw new FormatError(
          `.${name} accessor error: ${goValue(value)} is of the type ${goTypeName(value)}, expected string`,
        );
    }
    const unknown: string[] = [];
    const problem = coerceMetadata(object, { dropInvalid, ...(track ? { unknown } : {}) });
    if (problem !== undefined) throw new FormatError(problem);
    append(unknown, prune(object, this.#root, track));
    pruneNulls(object, this.schema);
    const inside: string[] = [];
    const error = coerceEmbedded(object, this.schema, { dropInvalid, ...(track ? { unknown: inside } : {}) });
    if (error !== undefined) throw new FormatError(String(error));
    return inside.length === 0 ? unknown : [...unknown, ...inside.sort(compareText)];
  }

  /**
   * Sets defaults in place: after {@link coerce}, on requests and on objects from storage.
   * @returns the bytes of what was set, as JSON
   * @throws StatusError 413 on requests, Error on objects from storage, where they are too many or too large
   */
  applyDefaults(object: KubeObject, options?: DefaultsOptions): number {
    return applyDefaults(object, this.schema, options);
  }

  /** A new object: values, then embedded resources, then list types. */
  validate(object: KubeObject): FieldError[] {
    return [...this.#values(object), ...this.#rest(object)];
  }

  /** An update, forgiving what it does not change. */
  validateUpdate(object: KubeObject, old: KubeObject, spent?: SpentTime): FieldError[] {
    return [...this.#valuesOfUpdate(object, old, spent), ...this.#rest(object, old)];
  }

  /** An object of another kind: its values are not looked at, but embedded resources and list types are. */
  validateForeign(object: KubeObject, old?: KubeObject): FieldError[] {
    return this.#rest(object, old);
  }

  /** An update through the status endpoint: values below `status`, list types of the whole object. */
  validateStatusUpdate(object: KubeObject, old: KubeObject, spent?: SpentTime): FieldError[] {
    const schema = this.schema.property('status');
    const errors: FieldError[] = [];
    if (schema !== undefined && Object.hasOwn(object, 'status')) {
      const validator = Validator.of(schema.props);
      const before =
        new Correlation(object, old, this.schema, spent).key('status') ??
        new Correlation(object['status'], old['status'], schema, spent);
      const outcome = new Outcome();
      validator.checkRatcheting(object['status'], '', outcome, before);
      append(errors, toFieldErrors(outcome.problems, FieldPath.of('status')));
    }
    return [...errors, ...this.#listTypes(object, old)];
  }

  #values(object: KubeObject): FieldError[] {
    const outcome = new Outcome();
    this.#validator.check(object, '', outcome);
    return outcome.valid ? [] : toFieldErrors(outcome.problems);
  }

  #valuesOfUpdate(object: KubeObject, old: KubeObject, spent: SpentTime | undefined): FieldError[] {
    const outcome = new Outcome();
    this.#validator.check(object, '', outcome);
    // Only what fails needs to be compared with what was there.
    if (outcome.valid) return [];
    const forgiving = new Outcome();
    this.#validator.checkRatcheting(object, '', forgiving, new Correlation(object, old, this.schema, spent));
    return toFieldErrors(forgiving.problems);
  }

  #rest(object: KubeObject, old?: KubeObject): FieldError[] {
    return [...validateEmbedded(object, this.schema), ...this.#listTypes(object, old)];
  }

  /** Repeated items are forgiven where there were some before. */
  #listTypes(object: KubeObject, old: KubeObject | undefined): FieldError[] {
    const errors = validateListTypes(object, this.schema);
    return errors.length > 0 && old !== undefined && validateListTypes(old, this.schema).length > 0 ? [] : errors;
  }
}
