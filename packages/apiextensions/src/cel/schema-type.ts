import {
  boolType,
  dynType,
  escapeName,
  intType,
  isReserved,
  listOf,
  mapOf,
  objectOf,
  simpleType,
  stringType,
} from '@kubechain/cel';
import type { CelType } from '@kubechain/cel';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { additionalOf, hasDefault, itemsOf } from '../schema/json-schema-props.ts';

/** A schema as rules see its values. */
export interface ValueShape {
  readonly type: CelType;
  readonly props: JSONSchemaProps;
  /** Of objects with named fields, by escaped name. */
  readonly fields: ReadonlyMap<string, { readonly name: string; readonly shape: ValueShape }> | undefined;
  /** Of items or of map values. */
  readonly element: ValueShape | undefined;
  /** The most items, entries, characters or bytes that a value can have; 0 where that says nothing about costs. */
  readonly maxElements: number;
  /** How many bytes a value takes at least, as JSON. */
  readonly minSize: number;
}

/** The largest request, which bounds what schemas leave open (apiserver/apis/cel MaxRequestSizeBytes). */
export const maxRequestSize = 3 * 1024 * 1024;
const sizes = {
  maxDuration: 32,
  maxDateTime: 32,
  date: 12,
  minDuration: 3,
  minDateTime: 21,
  text: 2,
  boolean: 4,
  number: 1,
};

const shapes = new WeakMap<JSONSchemaProps, { plain?: ValueShape | undefined; root?: ValueShape | undefined }>();
const text: JSONSchemaProps = { type: 'string' };
const objectMeta: JSONSchemaProps = { type: 'object', properties: { name: text, generateName: text } };
let objects = 0;

/**
 * The shape of a schema; undefined for values that rules do not see, such as those of unknown types
 * (apiserver/cel/common SchemaDeclType, 1.36).
 */
export function shapeOf(props: JSONSchemaProps, isResource: boolean): ValueShape | undefined {
  let known = shapes.get(props);
  if (known === undefined) shapes.set(props, (known = {}));
  const key = isResource ? 'root' : 'plain';
  if (!(key in known)) known[key] = makeShape(props, isResource);
  return known[key];
}

function makeShape(props: JSONSchemaProps, isResource: boolean): ValueShape | undefined {
  const simple = (type: CelType, maxElements: number, minSize: number): ValueShape => ({
    type,
    props,
    fields: undefined,
    element: undefined,
    maxElements,
    minSize,
  });
  if (props['x-kubernetes-int-or-string'] === true) return simple(dynType, maxTextLength(props), 1);
  switch (props.type) {
    case 'array': {
      const items = itemsOf(props);
      const element =
        items === undefined ? undefined : shapeOf(items, items['x-kubernetes-embedded-resource'] === true);
      return element === undefined
        ? undefined
        : {
            type: listOf(element.type),
            props,
            fields: undefined,
            element,
            minSize: 2,
            maxElements:
              props.maxItems === undefined
                ? Math.trunc((maxRequestSize - 2) / (element.minSize + 1))
                : Math.max(Number(props.maxItems), 0),
          };
    }
    case 'object':
      return objectShape(props, isResource);
    case 'string':
      return textShape(props, simple);
    case 'boolean':
      return simple(boolType, 0, sizes.boolean);
    case 'number':
      return simple(simpleType('double'), 0, sizes.number);
    case 'integer':
      return simple(intType, 0, sizes.number);
    default:
      return undefined;
  }
}

function textShape(
  props: JSONSchemaProps,
  simple: (type: CelType, maxElements: number, minSize: number) => ValueShape,
): ValueShape {
  switch (props.format) {
    case 'byte':
      return simple(
        simpleType('bytes'),
        props.maxLength === undefined ? maxRequestSize - 2 : Math.max(Number(props.maxLength), 0),
        sizes.text,
      );
    case 'duration':
      return simple(simpleType('duration'), sizes.maxDuration, sizes.minDuration);
    case 'date':
      return simple(simpleType('timestamp'), sizes.date, sizes.date);
    case 'date-time':
      return simple(simpleType('timestamp'), sizes.maxDateTime, sizes.minDateTime);
    default:
  }
  const { enum: values = [] } = props;
  if (props.maxLength !== undefined || values.length === 0) return simple(stringType, maxTextLength(props), sizes.text);
  let longest = 0;
  for (const value of values) if (typeof value === 'string') longest = Math.max(longest, Buffer.byteLength(value));
  return simple(stringType, longest, sizes.text);
}

/** Lengths count characters, each of which may take four bytes. */
function maxTextLength({ maxLength }: JSONSchemaProps): number {
  return maxLength === undefined ? maxRequestSize - 2 : Math.max(Number(maxLength), 0) * 4;
}

function objectShape(props: JSONSchemaProps, isResource: boolean): ValueShape | undefined {
  const additional = additionalOf(props);
  if (additional !== undefined) {
    const element = shapeOf(additional, additional['x-kubernetes-embedded-resource'] === true);
    return element === undefined
      ? undefined
      : {
          type: mapOf(stringType, element.type),
          props,
          fields: undefined,
          element,
          minSize: 2,
          maxElements:
            props.maxProperties === undefined
              ? Math.trunc((maxRequestSize - 2) / (element.minSize + 6))
              : Math.max(Number(props.maxProperties), 0),
        };
  }
  const fields = new Map<string, { readonly name: string; readonly shape: ValueShape }>();
  const required = new Set(props.required);
  let minSize = 2;
  for (const [name, property] of Object.entries(
    isResource ? withObjectMeta(props.properties ?? {}) : (props.properties ?? {}),
  )) {
    const shape = shapeOf(property, property['x-kubernetes-embedded-resource'] === true);
    if (shape === undefined) continue;
    const escaped = escapeName(name);
    if (escaped !== undefined) fields.set(escaped, { name, shape });
    if (required.has(name) && !hasDefault(property)) minSize += Buffer.byteLength(name) + shape.minSize + 4;
  }
  const types = new Map<string, CelType>();
  for (const [escaped, { name, shape }] of fields) {
    types.set(escaped, shape.type);
    if (isReserved(name)) types.set(name, shape.type);
  }
  // Each object is a type of its own, under a name that nobody can rely on.
  return { type: objectOf(`selfType${++objects}`, types), props, fields, element: undefined, maxElements: 0, minSize };
}

/** The properties of a whole object, which rules can see even if the schema does not list them. */
function withObjectMeta(
  properties: Readonly<Record<string, JSONSchemaProps>>,
): Readonly<Record<string, JSONSchemaProps>> {
  const { kind, apiVersion, metadata } = properties;
  const complete =
    kind?.type === 'string' &&
    apiVersion?.type === 'string' &&
    metadata?.type === 'object' &&
    metadata.properties?.['name']?.type === 'string' &&
    metadata.properties['generateName']?.type === 'string';
  return complete ? properties : { ...properties, kind: text, apiVersion: text, metadata: objectMeta };
}
