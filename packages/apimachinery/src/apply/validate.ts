import { goNumber, goQuote, goValue } from '../errors/go-format.ts';
import type { JSONValue } from '../runtime/object.ts';
import { isJSONObject } from '../patch/json-object.ts';
import { goTypeName } from '../patch/go-types.ts';
import type { Atom, ListAtom, MapAtom, ScalarKind } from './atom.ts';
import { formOf } from './atom.ts';
import { itemElement } from './list-items.ts';
import { elementText } from './path-element.ts';
import { TypedError } from './typed-error.ts';
import type { TypedProblem } from './typed-error.ts';

/**
 * Checks that a value fits its schema, without duplicates in sets and list maps.
 * @throws TypedError with every problem, in structured-merge-diff's words
 */
export function validateTyped(atom: Atom, value: JSONValue): void {
  const problems: TypedProblem[] = [];
  validate(atom, value, '', problems);
  if (problems.length > 0) throw new TypedError(problems);
}

function validate(atom: Atom, value: JSONValue, path: string, problems: TypedProblem[]): void {
  switch (formOf(atom, value)) {
    case 'map': return validateMap(atom.map as MapAtom, value, path, problems);
    case 'list': return validateList(atom.list as ListAtom, value, path, problems);
    default: {
      const message = scalarProblem(atom.scalar as ScalarKind, value);
      if (message !== undefined) problems.push({ path, message });
    }
  }
}

/** Why a value is no such scalar; null is every scalar. */
function scalarProblem(kind: ScalarKind, value: JSONValue): string | undefined {
  if (value === null) return undefined;
  switch (kind) {
    case 'numeric': return typeof value === 'number' || typeof value === 'bigint' ? undefined : `expected numeric (int or float), got ${goTypeName(value)}`;
    case 'string': return typeof value === 'string' ? undefined : `expected string, got &value.valueUnstructured{Value:${goSyntax(value)}}`;
    case 'boolean': return typeof value === 'boolean' ? undefined : `expected boolean, got &{${goValue(value)}}`;
    case 'untyped': return typeof value !== 'object' ? undefined : `expected any scalar, got &{${goValue(value)}}`;
    default: return kind satisfies never;
  }
}

/** `%#v` of decoded JSON. */
function goSyntax(value: JSONValue): string {
  if (value === null) return 'interface {}(nil)';
  switch (typeof value) {
    case 'string': return goQuote(value);
    case 'number': case 'bigint': return goNumber(value);
    case 'boolean': return String(value);
    default:
  }
  if (Array.isArray(value)) return `[]interface {}{${value.map(goSyntax).join(', ')}}`;
  return `map[string]interface {}{${Object.keys(value).sort().map((key) => `${goQuote(key)}:${goSyntax(value[key] as JSONValue)}`).join(', ')}}`;
}

function validateMap(map: MapAtom, value: JSONValue, path: string, problems: TypedProblem[]): void {
  if (value === null) return;
  if (!isJSONObject(value)) {
    problems.push({ path, message: `expected map, got &{${goValue(value)}}` });
    return;
  }
  for (const key of Object.keys(value)) {
    const at = `${path}.${key}`;
    const atom = map.fields.get(key)?.atom ?? map.element;
    if (atom === undefined) {
      problems.push({ path: at, message: 'field not declared in schema' });
      // The reference stops at the first field that it does not know.
      return;
    }
    validate(atom, value[key] as JSONValue, at, problems);
  }
}

function validateList(list: ListAtom, value: JSONValue, path: string, problems: TypedProblem[]): void {
  if (value === null) return;
  if (!Array.isArray(value)) {
    problems.push({ path, message: `expected list, got &{${goValue(value)}}` });
    return;
  }
  const seen = new Set<string>();
  for (const [i, item] of value.entries()) {
    let at = `${path}[${i}]`;
    if (!list.atomic) {
      const { element, error } = itemElement(list, item);
      if (error !== undefined) {
        problems.push({ path, message: `element ${i}: ${error}` });
        return;
      }
      const text = elementText(element);
      if (seen.has(element)) problems.push({ path, message: `duplicate entries for key ${text}` });
      seen.add(element);
      at = `${path}${text}`;
    }
    validate(list.element, item, at, problems);
  }
}
