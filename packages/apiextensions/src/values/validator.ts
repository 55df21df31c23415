import {
  equalJSON,
  formatCheck,
  goJSON,
  goQuote,
  goValue,
  isKnownFormat,
  isPlainObject,
  sortedForm,
} from '@kubechain/apimachinery';
import type { JSONValue } from '@kubechain/apimachinery';
import { compilePattern } from '@kubechain/cel/patterns';
import type { Pattern } from '@kubechain/cel/patterns';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { additionalOf, itemsOf } from '../schema/json-schema-props.ts';
import type { Correlation } from './correlation.ts';
import { NumberRules, isFloatInteger, isInteger } from './numbers.ts';
import { Outcome } from './outcome.ts';

/**
 * What a schema is compiled for. The reference validates defaults by the structural schema itself, which says nothing
 * of int-or-string and keeps formats that do not go with the type.
 */
type Purpose = 'values' | 'defaults';
const validators: Readonly<Record<Purpose, WeakMap<JSONSchemaProps, Validator>>> = {
  values: new WeakMap(),
  defaults: new WeakMap(),
};
const none: readonly never[] = [];
const noProperties: Readonly<Record<string, JSONSchemaProps>> = {};
const intOrString = ['integer', 'string'];
const types = new Map<string, readonly string[]>();

/**
 * One schema node, compiled for validating values: check for check, count for count and text for text what
 * kube-openapi's SchemaValidator (1.36) does, since the counts decide which errors of an anyOf are reported.
 * Nodes below are compiled when a value first reaches them. Strings are counted in code points.
 */
export class Validator {
  // Keywords are copied: reading them off schemas, each of another shape, took most of the time of a validation.
  readonly #props: JSONSchemaProps;
  readonly #purpose: Purpose;
  readonly #types: readonly string[];
  readonly #format: string;
  readonly #checksType: boolean;
  readonly #nullable: boolean;
  readonly #enum: readonly unknown[];
  readonly #required: readonly string[];
  readonly #formatCheck: ((text: string) => boolean) | undefined;
  readonly #anyOf: readonly Validator[];
  readonly #oneOf: readonly Validator[];
  readonly #allOf: readonly Validator[];
  readonly #not: Validator | undefined;
  readonly #maxLength: number;
  readonly #minLength: number;
  readonly #pattern: string;
  readonly #minItems: number;
  readonly #maxItems: number;
  readonly #uniqueItems: boolean;
  readonly #minProperties: number;
  readonly #maxProperties: number;
  /** Nothing but the properties is allowed. */
  readonly #closed: boolean;
  readonly #itemsProps: JSONSchemaProps | undefined;
  readonly #additionalProps: JSONSchemaProps | undefined;
  readonly #properties: Readonly<Record<string, JSONSchemaProps>>;
  readonly #names: readonly string[];
  readonly #hasJunctors: boolean;
  #numbers: NumberRules | undefined;
  #regexp: Pattern | string | undefined;
  #items: Validator | undefined;
  #additional: Validator | undefined;
  #children: Map<string, Validator> | undefined;

  private constructor(props: JSONSchemaProps, purpose: Purpose) {
    this.#purpose = purpose;
    this.#types = typesOf(props, purpose);
    this.#format = purpose === 'values' ? supportedFormat(props.format ?? '', this.#types) : (props.format ?? '');
    this.#checksType = this.#types.length > 0 || this.#format !== '';
    this.#nullable = props.nullable === true;
    this.#enum = props.enum ?? none;
    this.#required = props.required ?? none;
    this.#formatCheck = formatCheck(this.#format);
    this.#props = props;
    const all = (schemas: readonly JSONSchemaProps[] | undefined): readonly Validator[] =>
      schemas === undefined || schemas.length === 0 ? none : schemas.map((schema) => Validator.#for(schema, purpose));
    this.#anyOf = all(props.anyOf);
    this.#oneOf = all(props.oneOf);
    this.#allOf = all(props.allOf);
    this.#not = props.not === undefined ? undefined : Validator.#for(props.not, purpose);
    this.#hasJunctors = this.#anyOf.length + this.#oneOf.length + this.#allOf.length > 0 || this.#not !== undefined;
    this.#maxLength = props.maxLength ?? Number.POSITIVE_INFINITY;
    this.#minLength = props.minLength ?? 0;
    this.#pattern = props.pattern ?? '';
    this.#minItems = props.minItems ?? 0;
    this.#maxItems = props.maxItems ?? Number.POSITIVE_INFINITY;
    this.#uniqueItems = props.uniqueItems === true;
    this.#minProperties = props.minProperties ?? 0;
    this.#maxProperties = props.maxProperties ?? Number.POSITIVE_INFINITY;
    this.#closed = props.additionalProperties === false;
    this.#itemsProps = itemsOf(props);
    this.#additionalProps = additionalOf(props);
    this.#properties = props.properties ?? noProperties;
    this.#names = props.properties === undefined ? none : Object.keys(this.#properties);
  }

  /** The validator of a schema object; made once. */
  static of(this: void, props: JSONSchemaProps): Validator {
    return Validator.#for(props, 'values');
  }

  /** The same for defaults of the schema. */
  static ofDefaults(this: void, props: JSONSchemaProps): Validator {
    return Validator.#for(props, 'defaults');
  }

  static #for(props: JSONSchemaProps, purpose: Purpose): Validator {
    let validator = validators[purpose].get(props);
    if (validator === undefined) validators[purpose].set(props, (validator = new Validator(props, purpose)));
    return validator;
  }

  /**
   * Adds to `outcome` what is wrong with a value.
   * @param path of the value, empty at the root
   * @param before the value's correlation in an update: problems of what did not change are left out
   */
  check(value: unknown, path: string, outcome: Outcome, before?: Correlation): void {
    if (value === null || value === undefined) {
      if (this.#types.length > 0 && !this.#types.includes('null') && !this.#nullable)
        outcome.add(wrongType(path, this.#types.join(','), 'null'));
      else outcome.matches++;
      this.#checkEnum(null, path, outcome);
      return;
    }
    if (this.#checksType) {
      this.#checkType(value, path, outcome);
      outcome.matches++;
    }
    if (this.#hasJunctors) this.#checkJunctors(value, path, outcome);
    outcome.matches += 2;
    if (typeof value === 'string') {
      this.#checkText(value, path, outcome);
      outcome.matches++;
      if (this.#formatCheck !== undefined) {
        if (!this.#formatCheck(value)) outcome.add(wrongType(path, this.#format, value));
        outcome.matches++;
      }
    } else if (typeof value === 'number' || typeof value === 'bigint') {
      (this.#numbers ??= new NumberRules(this.#props, this.#types, this.#format)).check(value, path, outcome);
      outcome.matches++;
    } else if (Array.isArray(value)) {
      this.#checkList(value, path, outcome, before);
      outcome.matches++;
    }
    this.#checkEnum(value, path, outcome);
    outcome.matches++;
    if (isPlainObject(value)) {
      this.#checkObject(value, path, outcome, before);
      outcome.matches++;
    }
    outcome.matches++;
  }

  /** As {@link check}, and forgives what an update left as it was. */
  checkRatcheting(value: unknown, path: string, outcome: Outcome, before: Correlation | undefined): void {
    const known = outcome.problems.length;
    this.check(value, path, outcome, before);
    if (before !== undefined && outcome.problems.length > known && before.unchanged) outcome.keep(known);
  }

  #checkType(value: unknown, path: string, outcome: Outcome): void {
    const types = this.#types,
      format = this.#format;
    let type: string,
      itsFormat = '';
    let convertible = false;
    switch (typeof value) {
      case 'boolean':
        type = 'boolean';
        break;
      case 'string':
        type = 'string';
        break;
      case 'number':
      case 'bigint':
        if (isInteger(value)) {
          type = 'integer';
          itsFormat = 'int64';
          convertible = types.includes('number');
        } else {
          type = 'number';
          itsFormat = 'float64';
          convertible = types.includes('integer') && isFloatInteger(value as number);
        }
        break;
      default:
        type = Array.isArray(value) ? 'array' : 'object';
    }
    const fits = types.includes(type) || convertible;
    const textual = type === 'string' || type === 'array';
    if (format !== '') {
      if (!textual && !fits && itsFormat !== format) {
        outcome.add(wrongType(path, format, itsFormat));
        return;
      }
      // Texts are left to the format; so are lists, by a slip of upstream's.
      if (textual && !types.includes('number') && !types.includes('integer')) {
        outcome.matches++;
        return;
      }
    }
    if (fits) outcome.matches++;
    else outcome.add(wrongType(path, types.join(','), type));
  }

  #checkText(value: string, path: string, outcome: Outcome): void {
    const maxLength = this.#maxLength,
      minLength = this.#minLength;
    if (value.length > maxLength && codePoints(value) > maxLength) {
      outcome.add({
        kind: 'tooLong',
        path,
        message: `${path} in body should be at most ${maxLength} chars long`,
        max: maxLength,
      });
    } else if (minLength > 0 && codePoints(value) < minLength) {
      outcome.add({
        kind: 'value',
        path,
        message: `${path} in body should be at least ${minLength} chars long`,
        value,
      });
    } else if (this.#pattern !== '') {
      const regexp = (this.#regexp ??= compilePattern(this.#pattern));
      if (typeof regexp === 'string')
        outcome.add({
          kind: 'value',
          path,
          message: `${path} in body should match '${this.#pattern}, but pattern is invalid: ${regexp}'`,
          value,
        });
      else if (!regexp.test(value))
        outcome.add({ kind: 'value', path, message: `${path} in body should match '${this.#pattern}'`, value });
    }
  }

  #checkEnum(value: unknown, path: string, outcome: Outcome): void {
    if (this.#enum.length === 0 || this.#enum.some((allowed) => isAllowed(value, allowed))) return;
    outcome.add({
      kind: 'enum',
      path,
      message: `${path} in body should be one of ${goValue(this.#enum)}`,
      value,
      allowed: this.#enum,
    });
  }

  #checkList(list: readonly unknown[], path: string, outcome: Outcome, before: Correlation | undefined): void {
    if (this.#itemsProps !== undefined) {
      const validator = (this.#items ??= Validator.#for(this.#itemsProps, this.#purpose));
      for (let i = 0; i < list.length; i++)
        validator.checkRatcheting(list[i], `${path}[${i}]`, outcome, before?.index(i));
    }
    if (list.length < this.#minItems)
      outcome.add({
        kind: 'value',
        path,
        message: `${path} in body should have at least ${this.#minItems} items`,
        value: list.length,
      });
    if (list.length > this.#maxItems)
      outcome.add({
        kind: 'tooMany',
        path,
        message: `${path} in body should have at most ${this.#maxItems} items`,
        max: this.#maxItems,
        size: list.length,
      });
    if (this.#uniqueItems && new Set(list.map((item) => goJSON(sortedForm(item)))).size < list.length) {
      outcome.add({ kind: 'value', path, message: `${path} in body shouldn't contain duplicates`, value: '' });
    }
    outcome.matches++;
  }

  #checkObject(object: Record<string, unknown>, path: string, outcome: Outcome, before: Correlation | undefined): void {
    this.#checkKeys(object, path, outcome, before);
    for (const name of this.#names) {
      if (Object.hasOwn(object, name))
        this.#child(name).checkRatcheting(
          object[name],
          path === '' ? name : `${path}.${name}`,
          outcome,
          correlated(before, path, name),
        );
    }
    for (const name of this.#required) {
      if (!Object.hasOwn(object, name))
        outcome.add({ kind: 'required', path: `${path}.${name}`, message: `${path}.${name} in body is required` });
    }
  }

  #child(name: string): Validator {
    const children = (this.#children ??= new Map());
    let child = children.get(name);
    if (child === undefined) children.set(name, (child = Validator.#for(this.#properties[name] ?? {}, this.#purpose)));
    return child;
  }

  /** How many keys there are, and those that are no properties. */
  #checkKeys(object: Record<string, unknown>, path: string, outcome: Outcome, before: Correlation | undefined): void {
    const additional = this.#additionalProps;
    if (
      additional === undefined &&
      !this.#closed &&
      this.#minProperties === 0 &&
      this.#maxProperties === Number.POSITIVE_INFINITY
    )
      return;
    const keys = Object.keys(object);
    if (keys.length < this.#minProperties)
      outcome.add({
        kind: 'value',
        path,
        message: `${path} in body should have at least ${this.#minProperties} properties`,
        value: keys.length,
      });
    if (keys.length > this.#maxProperties)
      outcome.add({
        kind: 'tooMany',
        path,
        message: `${path} in body should have at most ${this.#maxProperties} properties`,
        max: this.#maxProperties,
        size: keys.length,
      });
    for (const key of keys) {
      if (Object.hasOwn(this.#properties, key)) continue;
      if (this.#closed)
        outcome.add({ kind: 'value', path, message: `${path}.${key} in body is a forbidden property`, value: key });
      else if (additional !== undefined)
        (this.#additional ??= Validator.#for(additional, this.#purpose)).checkRatcheting(
          object[key],
          `${path}.${key}`,
          outcome,
          correlated(before, path, key),
        );
    }
  }

  /** Their schemas forgive nothing: upstream does not lead what was there before into them. */
  #checkJunctors(value: unknown, path: string, outcome: Outcome): void {
    if (this.#anyOf.length > 0) this.#checkAnyOf(value, path, outcome);
    if (this.#oneOf.length > 0) this.#checkOneOf(value, path, outcome);
    if (this.#allOf.length > 0) {
      let valid = 0;
      for (const validator of this.#allOf) {
        const result = run(validator, value, path);
        if (result.valid) valid++;
        outcome.merge(result);
      }
      if (valid !== this.#allOf.length)
        outcome.add({
          kind: 'general',
          message: `${goQuote(path)} must validate all the schemas (allOf)${valid === 0 ? '. None validated' : ''}`,
        });
    }
    if (this.#not !== undefined && run(this.#not, value, path).valid)
      outcome.add({ kind: 'general', message: `${goQuote(path)} must not validate the schema (not)` });
  }

  #checkAnyOf(value: unknown, path: string, outcome: Outcome): void {
    let best: Outcome | undefined;
    for (const validator of this.#anyOf) {
      const result = run(validator, value, path);
      if (result.valid) {
        outcome.merge(result);
        return;
      }
      if (best === undefined || result.matches > best.matches) best = result;
    }
    outcome.add({ kind: 'general', message: `${goQuote(path)} must validate at least one schema (anyOf)` });
    if (best !== undefined) outcome.merge(best);
  }

  #checkOneOf(value: unknown, path: string, outcome: Outcome): void {
    let best: Outcome | undefined, first: Outcome | undefined;
    let valid = 0;
    for (const validator of this.#oneOf) {
      const result = run(validator, value, path);
      if (result.valid) {
        valid++;
        first ??= result;
        best = undefined;
      } else if (valid === 0 && (best === undefined || result.matches > best.matches)) best = result;
    }
    if (valid === 1 && first !== undefined) {
      outcome.merge(first);
      return;
    }
    outcome.add({
      kind: 'general',
      message:
        `${goQuote(path)} must validate one and only one schema (oneOf). ` +
        `${valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`}`,
    });
    if (best !== undefined) outcome.merge(best);
  }
}

/** One list for all schemas of a type. */
function typesOf(props: JSONSchemaProps, purpose: Purpose): readonly string[] {
  if (purpose === 'values' && props['x-kubernetes-int-or-string'] === true) return intOrString;
  const { type = '' } = props;
  if (type === '') return none;
  let list = types.get(type);
  if (list === undefined) types.set(type, (list = [type]));
  return list;
}

function run(validator: Validator, value: unknown, path: string): Outcome {
  const outcome = new Outcome();
  validator.check(value, path, outcome);
  return outcome;
}

/** apiVersion and kind of the root are never forgiven: old and new objects were converted to the same version. */
function correlated(before: Correlation | undefined, path: string, key: string): Correlation | undefined {
  return before === undefined || (path === '' && (key === 'kind' || key === 'apiVersion'))
    ? undefined
    : before.key(key);
}

function wrongType(
  path: string,
  type: string,
  value: string,
): { kind: 'type'; path: string; message: string; value: string } {
  return { kind: 'type', path, message: `${path} in body must be of type ${type}: ${goQuote(value)}`, value };
}

/** The format, or nothing if it does not go with the types: such formats are ignored. */
export function supportedFormat(format: string, types: readonly string[]): string {
  const type = types.length === 1 ? types[0] : '';
  switch (type) {
    case '':
    case 'string':
      return isKnownFormat(format) ? format : '';
    case 'integer':
      return format === 'int32' || format === 'int64' ? format : '';
    case 'number':
      return format === 'float' || format === 'double' ? format : '';
    default:
      return '';
  }
}

/**
 * Numbers are converted to the kind of the enum's number before they are compared, so that 1.5 is 1 where 1 is an
 * integer.
 */
function isAllowed(value: unknown, allowed: unknown): boolean {
  if (value === null || allowed === null) return false;
  if (typeof value === 'number' && typeof allowed === 'number')
    return value === allowed || (Number.isInteger(allowed) && Math.trunc(value) === allowed);
  return equalJSON(value as JSONValue, allowed as JSONValue);
}

function codePoints(text: string): number {
  let count = text.length;
  for (let i = 0; i < text.length - 1; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0xd800 && code < 0xdc00) {
      count--;
      i++;
    }
  }
  return count;
}
