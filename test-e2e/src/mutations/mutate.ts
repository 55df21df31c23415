import { itemsOf, type Value, type Values } from './values.ts';
import type { Schema, Schemas } from './schemas.ts';

type Container = Value[] | { [name: string]: Value };

/** A value within an object, and where it stands. */
interface Place {
  readonly value: Value;
  readonly schema: Schema;
  readonly path: readonly (string | number)[];
  readonly parent: Container | undefined;
}

/** How values are changed. */
export interface MutateOptions {
  readonly values: Values;
  readonly schemas: Schemas;
  /** A member of the object that stays as it is: what another endpoint is for. */
  readonly fixed: string;
}

/** Changes one thing in an object: adds, removes, repeats, exchanges or renames a value. */
export function mutate(object: Value, schema: Schema, options: MutateOptions): void {
  const { values } = options;
  const places = placesIn(object, schema, options.schemas);
  const changeable = places.filter((place) => place.parent !== undefined && isChangeable(place.path, options));
  if (changeable.length === 0) return;
  const way = values.share();
  if (way < 0.45 && addMember(places, options)) return;
  const place = values.pick(changeable);
  if (way < 0.58) remove(place);
  else if (way < 0.75) replace(place, another(place, values));
  else if (way < 0.82) replace(place, values.odd());
  else if (way < 0.9) repeatItem(places, values);
  else if (way < 0.94) {
    const alike = changeable.filter(({ value }) => typeof value === typeof place.value);
    replace(place, structuredClone(values.pick(alike).value));
  } else if (way < 0.97) rename(place, values);
  else if (Array.isArray(place.parent)) place.parent.push(null);
  else replace(place, values.of(place.schema));
}

/** Kind, names and what another endpoint is for are changed now and then only: most such requests end early. */
function isChangeable(path: readonly (string | number)[], { fixed, values }: MutateOptions): boolean {
  const [first, second] = path;
  if (path.length === 1 && (first === 'kind' || first === 'apiVersion')) return values.chance(0.03);
  if (first === 'metadata' && (path.length === 1 || second === 'name' || second === 'namespace'))
    return values.chance(0.1);
  return first !== fixed || values.chance(0.2);
}

function placesIn(object: Value, schema: Schema, schemas: Schemas): readonly Place[] {
  const places: Place[] = [];
  const visit = (place: Place): void => {
    const resolved = schemas.resolve(place.schema);
    const { value } = place;
    places.push({ ...place, schema: resolved });
    if (Array.isArray(value))
      for (const [i, item] of value.entries())
        visit({ value: item, schema: resolved.items ?? {}, path: [...place.path, i], parent: value });
    else if (value !== null && typeof value === 'object')
      for (const [name, member] of Object.entries(value))
        visit({
          value: member,
          schema: resolved.properties?.[name] ?? itemsOf(resolved.additionalProperties),
          path: [...place.path, name],
          parent: value,
        });
  };
  visit({ value: object, schema, path: [], parent: undefined });
  return places;
}

function addMember(places: readonly Place[], { fixed, values }: MutateOptions): boolean {
  const objects = places.filter(
    ({ schema, value }) =>
      value !== null &&
      typeof value === 'object' &&
      !Array.isArray(value) &&
      (schema.properties !== undefined || schema.additionalProperties !== undefined),
  );
  if (objects.length === 0) return false;
  const { path, schema, value } = values.pick(objects);
  const target = value as { [name: string]: Value };
  if (schema.properties === undefined) {
    target[values.text()] = values.of(itemsOf(schema.additionalProperties));
    return true;
  }
  const names = Object.keys(schema.properties).filter(
    (name) => path.length > 0 || !['kind', 'apiVersion', fixed].includes(name) || values.chance(0.2),
  );
  if (names.length === 0) return false;
  const name = values.pick(names);
  target[name] = values.of(schema.properties[name]);
  return true;
}

function another({ schema, value }: Place, values: Values): Value {
  switch (typeof value) {
    case 'string':
      return values.text();
    case 'number':
      return values.number();
    case 'boolean':
      return !value;
    default:
      return values.of(schema);
  }
}

function replace({ parent, path }: Place, value: Value): void {
  const key = path.at(-1);
  if (parent !== undefined && key !== undefined) (parent as Record<string | number, Value>)[key] = value;
}

function remove({ parent, path }: Place): void {
  const key = path.at(-1);
  if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else if (parent !== undefined) delete parent[String(key)];
}

function repeatItem(places: readonly Place[], values: Values): void {
  const lists = places.filter(({ value }) => Array.isArray(value));
  if (lists.length === 0) return;
  const { schema, value } = values.pick(lists);
  const list = value as Value[];
  list.push(list.length === 0 ? values.of(schema.items) : structuredClone(values.pick(list)));
}

function rename({ parent, path, value }: Place, values: Values): void {
  if (parent === undefined || Array.isArray(parent)) return;
  const name = String(path.at(-1));
  parent[values.pick([name.toUpperCase(), `${name}x`, 'unknown', name.charAt(0).toUpperCase() + name.slice(1)])] =
    value;
  if (values.chance(0.5)) delete parent[name];
}
