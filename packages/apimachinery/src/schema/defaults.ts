import type { Field, Schema, StructSchema } from './schema.ts';
import { isPlainObject } from '../object/is-plain-object.ts';

/** Sets the defaults of one schema node in place. */
type Applier = (value: unknown) => void;

interface Step {
  readonly name: string;
  readonly fallback: unknown;
  readonly isScalar: boolean;
  readonly zero: boolean;
  readonly child: Schema | undefined;
  readonly create: boolean;
}

const appliers = new WeakMap<Schema, Applier | null>();
const steps = new WeakMap<StructSchema, readonly Step[]>();

/**
 * Applies a schema's defaults in place; compiled per node on first use, and free for the parts that have none.
 *
 * Built-in fields without a pointer count as absent when they hold Go's zero value, and absent structs held by
 * value are created when something inside them has a default, both as Go's generated defaulting does.
 */
export function applySchemaDefaults(value: unknown, schema: Schema): void {
  applierOf(schema)?.(value);
}

function applierOf(schema: Schema): Applier | null {
  let applier = appliers.get(schema);
  if (applier === undefined) appliers.set(schema, (applier = hasDefaults(schema) ? build(schema) : null));
  return applier;
}

function build(schema: Schema): Applier | null {
  switch (schema.kind) {
    case 'struct':
      return (value) => {
        if (isPlainObject(value)) applyStruct(value, schema);
      };
    case 'list':
      return (value) => {
        if (Array.isArray(value)) for (const item of value) applySchemaDefaults(item, schema.items);
      };
    case 'map':
      return (value) => {
        if (isPlainObject(value)) for (const key in value) applySchemaDefaults(value[key], schema.values);
      };
    case 'scalar':
    case 'any':
      return null;
    default:
      return schema satisfies never;
  }
}

function applyStruct(object: Record<string, unknown>, schema: StructSchema): void {
  for (const step of stepsOf(schema)) {
    let value = object[step.name];
    if (step.fallback !== undefined && (value === undefined || (step.zero && isZero(value)))) {
      object[step.name] = value = step.isScalar ? step.fallback : structuredClone(step.fallback);
    }
    if (step.child === undefined) continue;
    if (value === undefined && step.create) {
      const created = {};
      applySchemaDefaults(created, step.child);
      if (Object.keys(created).length > 0) object[step.name] = created;
    } else applySchemaDefaults(value, step.child);
  }
}

function stepsOf(schema: StructSchema): readonly Step[] {
  let list = steps.get(schema);
  if (list === undefined) steps.set(schema, (list = [...schema.fields.values()].flatMap((field) => stepOf(field))));
  return list;
}

function stepOf(field: Field): Step[] {
  const child = hasDefaults(field.schema) ? field.schema : undefined;
  if (field.default === undefined && child === undefined) return [];
  return [
    {
      name: field.name,
      fallback: field.default,
      isScalar: typeof field.default !== 'object',
      zero: field.omitEmpty === true,
      child,
      create:
        field.schema.kind === 'struct' && field.zero !== undefined && field.zero !== null && field.pointer !== true,
    },
  ];
}

/** Whether any default can be reached; schemas are cyclic, so nodes under way count as having none. */
function hasDefaults(schema: Schema, path = new Set<Schema>()): boolean {
  const known = reachable.get(schema);
  if (known !== undefined) return known;
  if (path.has(schema)) return false;
  path.add(schema);
  let found = false;
  switch (schema.kind) {
    case 'struct':
      for (const field of schema.fields.values())
        if (field.default !== undefined || hasDefaults(field.schema, path)) {
          found = true;
          break;
        }
      break;
    case 'list':
      found = hasDefaults(schema.items, path);
      break;
    case 'map':
      found = hasDefaults(schema.values, path);
      break;
    case 'scalar':
    case 'any':
      break;
    default:
      schema satisfies never;
  }
  path.delete(schema);
  // A "no" found inside a cycle is only final for the node where the search began.
  if (found || path.size === 0) reachable.set(schema, found);
  return found;
}
const reachable = new WeakMap<Schema, boolean>();

function isZero(value: unknown): boolean {
  return value === '' || value === 0 || value === false;
}
