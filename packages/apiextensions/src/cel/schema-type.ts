import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { additionalOf, itemsOf } from '../schema/json-schema-props.ts';
import { boolType, dynType, intType, listOf, mapOf, objectOf, simpleType, stringType } from './types.ts';
import type { CelType } from './types.ts';

const reserved = new Set(['true', 'false', 'null', 'in', 'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while']);
const escapes = new Map([['__', '__underscores__'], ['.', '__dot__'], ['-', '__dash__'], ['/', '__slash__']]);

/** A property's name as CEL rules write it; undefined where they cannot (apiserver/cel escaping.go, 1.36). */
export function escapeName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  if (!/^[A-Za-z_][A-Za-z0-9_.\-/]*$/.test(name)) return undefined;
  return name.replace(/__|[.\-/]/g, (match) => escapes.get(match) ?? match);
}

/** A schema as rules see its values. */
export interface ValueShape {
  readonly type: CelType;
  readonly props: JSONSchemaProps;
  /** Of objects with named fields, by escaped name. */
  readonly fields: ReadonlyMap<string, { readonly name: string; readonly shape: ValueShape }> | undefined;
  /** Of items or of map values. */
  readonly element: ValueShape | undefined;
}

const shapes = new WeakMap<JSONSchemaProps, { plain?: ValueShape | undefined; root?: ValueShape | undefined }>();
const text: JSONSchemaProps = { type: 'string' };
const objectMeta: JSONSchemaProps = { type: 'object', properties: { name: text, generateName: text } };

/** The shape of a schema; undefined for values that rules do not see, such as those of unknown types (apiserver/cel/common SchemaDeclType, 1.36). */
export function shapeOf(props: JSONSchemaProps, isResource: boolean): ValueShape | undefined {
  let known = shapes.get(props);
  if (known === undefined) shapes.set(props, known = {});
  const key = isResource ? 'root' : 'plain';
  if (!(key in known)) known[key] = makeShape(props, isResource);
  return known[key];
}

function makeShape(props: JSONSchemaProps, isResource: boolean): ValueShape | undefined {
  const simple = (type: CelType): ValueShape => ({ type, props, fields: undefined, element: undefined });
  if (props['x-kubernetes-int-or-string'] === true) return simple(dynType);
  switch (isResource ? 'object' : props.type) {
    case 'array': {
      const items = itemsOf(props);
      const element = items === undefined ? undefined : shapeOf(items, items['x-kubernetes-embedded-resource'] === true);
      return element === undefined ? undefined : { type: listOf(element.type), props, fields: undefined, element };
    }
    case 'object': return objectShape(props, isResource);
    case 'string':
      if (props.format === 'byte') return simple(simpleType('bytes'));
      if (props.format === 'duration') return simple(simpleType('duration'));
      return simple(props.format === 'date' || props.format === 'date-time' ? simpleType('timestamp') : stringType);
    case 'boolean': return simple(boolType);
    case 'number': return simple(simpleType('double'));
    case 'integer': return simple(intType);
    default: return undefined;
  }
}

function objectShape(props: JSONSchemaProps, isResource: boolean): ValueShape | undefined {
  const additional = additionalOf(props);
  if (additional !== undefined) {
    const element = shapeOf(additional, additional['x-kubernetes-embedded-resource'] === true);
    return element === undefined ? undefined : { type: mapOf(stringType, element.type), props, fields: undefined, element };
  }
  const fields = new Map<string, { readonly name: string; readonly shape: ValueShape }>();
  const all = isResource ? { ...props.properties, apiVersion: text, kind: text, metadata: objectMeta } : props.properties ?? {};
  for (const [name, property] of Object.entries(all)) {
    const shape = shapeOf(property, property['x-kubernetes-embedded-resource'] === true);
    const escaped = shape === undefined ? undefined : escapeName(name);
    if (shape !== undefined && escaped !== undefined) fields.set(escaped, { name, shape });
  }
  return { type: objectOf('object', new Map([...fields].map(([name, { shape }]) => [name, shape.type]))), props, fields, element: undefined };
}
