import { append } from '../object/append.ts';
import { goNumber, goQuote, goValue } from '../errors/go-format.ts';
import type { JSONValue } from '../object/object.ts';
import { isJSONObject } from '../object/json-object.ts';
import { reflectedTypeName } from '../patch/go-types.ts';
import type { Atom, ListAtom, MapAtom, ScalarKind } from './atom.ts';
import { formOf } from './atom.ts';
import { GoValue } from './go-value.ts';
import { itemElement } from './list-items.ts';
import { elementText } from './path-element.ts';
import { TypedError } from './typed-error.ts';
import type { TypedProblem } from './typed-error.ts';

/**
 * Checks that a value fits its schema, without duplicates in sets and list maps.
 * @throws TypedError with every problem, in structured-merge-diff's words
 */
export function validateTyped(atom: Atom, value: JSONValue): void {
  const problems = validate(atom, value);
  if (problems !== undefined) throw new TypedError(problems);
}

/** Problems with paths from here; `undefined` for none. Paths are put together only where there is a problem. */
function validate(atom: Atom, value: JSONValue): TypedProblem[] | undefined {
  if (isGoValue(value)) return [{ path: '', message: goValueProblem(atom, value) }];
  switch (formOf(atom, value)) {
    case 'map':
      return validateMap(atom.map as MapAtom, value);
    case 'list':
      return validateList(atom.list as ListAtom, value);
    default: {
      const message = scalarProblem(atom.scalar as ScalarKind, value);
      return message === undefined ? undefined : [{ path: '', message }];
    }
  }
}

/** Whether it is none of JSON, though it stands in a configuration. */
function isGoValue(value: unknown): value is GoValue {
  return typeof value === 'object' && value instanceof GoValue;
}

function goValueProblem({ map, scalar }: Atom, { syntax, text, typeName }: GoValue): string {
  if (map !== undefined) return `expected map, got &{${text}}`;
  switch (scalar) {
    case undefined:
      return `expected list, got &{${text}}`;
    case 'numeric':
      return `expected numeric (int or float), got ${typeName}`;
    case 'string':
      return `expected string, got &value.valueUnstructured{Value:${syntax}}`;
    case 'boolean':
      return `expected boolean, got &{${text}}`;
    case 'untyped':
      return `expected any scalar, got &{${text}}`;
    default:
      return scalar satisfies never;
  }
}

/** Where such a value stands in a set, as a path has it. */
const inSet = '[={{undefined}}]';

function prefixed(problems: TypedProblem[], prefix: string): TypedProblem[] {
  for (const problem of problems) problem.path = prefix + problem.path;
  return problems;
}

/** The type of most values of a scalar; '' where that cannot be told. */
function scalarType(kind: ScalarKind | undefined): string {
  return kind === 'string' || kind === 'boolean' ? kind : kind === 'numeric' ? 'number' : '';
}

/** Why a value is no such scalar; null is every scalar. */
function scalarProblem(kind: ScalarKind, value: JSONValue): string | undefined {
  if (value === null) return undefined;
  switch (kind) {
    case 'numeric':
      return typeof value === 'number' || typeof value === 'bigint'
        ? undefined
        : `expected numeric (int or float), got ${reflectedTypeName(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goValue(value)}}`;
    case 'untyped':
      return typeof value !== 'object' ? undefined : `expected any scalar, got &{${goValue(value)}}`;
    default:
      return kind satisfies never;
  }
}

/** `%#v` of decoded JSON. */
function goSyntax(value: JSONValue): string {
  if (value === null) return 'interface {}(nil)';
  switch (typeof value) {
    case 'string':
      return goQuote(value);
    case 'number':
    case 'bigint':
      return goNumber(value);
    case 'boolean':
      return String(value);
    default:
  }
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  return `map[string]interface {}{${Object.keys(value)
    .sort()
    .map((key) => `${goQuote(key)}:${goSyntax(value[key] as JSONValue)}`)
    .join(', ')}}`;
}

function validateMap(map: MapAtom, value: JSONValue): TypedProblem[] | undefined {
  if (value === null) return undefined;
  if (!isJSONObject(value)) return [{ path: '', message: `expected map, got &{${goValue(value)}}` }];
  let problems: TypedProblem[] | undefined;
  for (const key in value) {
    const atom = map.fields.get(key)?.atom ?? map.element;
    // The reference stops at the first field that it does not know.
    if (atom === undefined) return [...(problems ?? []), { path: `.${key}`, message: 'field not declared in schema' }];
    const item = value[key] as JSONValue;
    // By far the most fields are scalars that fit.
    if (typeof item === scalarType(atom.scalar)) continue;
    const found = validate(atom, item);
    if (found !== undefined) append((problems ??= []), prefixed(found, `.${key}`));
  }
  return problems;
}

function validateList(list: ListAtom, value: JSONValue): TypedProblem[] | undefined {
  if (value === null) return undefined;
  if (!Array.isArray(value)) return [{ path: '', message: `expected list, got &{${goValue(value)}}` }];
  let problems: TypedProblem[] | undefined;
  const seen = list.atomic ? undefined : new Set<string>();
  for (let i = 0; i < value.length; i++) {
    const item = value[i] as JSONValue;
    let key = '';
    if (seen !== undefined && isGoValue(item) && list.keys.length === 0) {
      append((problems ??= []), prefixed(validate(list.element, item) ?? [], inSet));
      continue;
    }
    if (seen !== undefined) {
      const { element, error } = itemElement(list, item);
      if (error !== undefined) return [...(problems ?? []), { path: '', message: `element ${i}: ${error}` }];
      if (seen.has(element))
        (problems ??= []).push({ path: '', message: `duplicate entries for key ${elementText(element)}` });
      seen.add(element);
      key = element;
    }
    const found = validate(list.element, item);
    if (found !== undefined) append((problems ??= []), prefixed(found, key === '' ? `[${i}]` : elementText(key)));
  }
  return problems;
}
