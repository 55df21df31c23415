import { parseJSON } from '../serializer/json/parse-text.ts';
import { sortStrings } from '../meta/sort-strings.ts';
import { FormatError } from '../errors/format-error.ts';
import { compareText, escapeHTML, goNumber, goQuote } from '../errors/go-format.ts';
import type { JSONValue } from '../object/object.ts';

/**
 * One step of a field path, in its wire form, which is also its identity:
 *
 * - `f:name`: the field of an object
 * - `k:{"name":"a","port":80}`: the item of a list map with these keys; names sorted, no spaces
 * - `v:"x"`: the item of a set
 * - `i:0`: the item of a list by its index
 */
export type PathElement = string;

const plain = /^[\w ./:@-]*$/;

/** JSON of a key or value, as Go's encoder writes it. */
export function encodeValue(value: JSONValue): string {
  if (typeof value === 'string' && plain.test(value)) return `"${value}"`;
  if (typeof value === 'bigint') return value.toString();
  return escapeHTML(JSON.stringify(value));
}

/** The element of a set's item. */
export function valueElement(value: JSONValue): PathElement {
  return `v:${encodeValue(value)}`;
}

/** The element of a list map's item; `names` must be sorted. */
export function keyElement(names: readonly string[], values: readonly JSONValue[]): PathElement {
  let text = 'k:{';
  names.forEach((name, i) => {
    text += `${i === 0 ? '' : ','}${JSON.stringify(name)}:${encodeValue(values[i] ?? null)}`;
  });
  return `${text}}`;
}

/**
 * The canonical form of an element as it stands in a managedFields entry; `undefined` for kinds of a future version.
 * @throws FormatError when it is malformed
 */
export function parseElement(text: string): PathElement | undefined {
  if (text.length < 2) throw new FormatError('key must be 2 characters long:');
  if (text[1] !== ':') throw new FormatError(`missing colon: ${text}`);
  switch (text[0]) {
    case 'f':
      return text;
    case 'i':
      if (!/^[+-]?[0-9]+$/.test(text.slice(2)))
        throw new FormatError(`strconv.Atoi: parsing ${goQuote(text.slice(2))}: invalid syntax`);
      return `i:${Number(text.slice(2))}`;
    case 'v':
      return valueElement(parsedValue(text.slice(2)));
    case 'k':
      return parseKeys(text).element;
    default:
      return undefined;
  }
}

/** A `k:` element in its canonical form, and its keys in order. */
interface ParsedKeys {
  readonly element: PathElement;
  readonly names: readonly string[];
  readonly values: readonly JSONValue[];
}

/**
 * What was parsed last. The same containers, ports and volumes come by in every object of a controller, so nearly
 * all look-ups hit. When full it starts anew: some 2 MB, at most 8 MB, since longer keys are not kept.
 */
const parsed = new Map<string, ParsedKeys>();
const MAX_PARSED = 8192;
const MAX_PARSED_LENGTH = 256;

function parseKeys(text: string): ParsedKeys {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const keys = parsedValue(text.slice(2));
  if (typeof keys !== 'object' || keys === null || Array.isArray(keys))
    throw new FormatError(`expect { or n, but found ${text[2] ?? ''}`);
  const names = Object.keys(keys).sort(compareText);
  const values = names.map((name) => keys[name] as JSONValue);
  const result = { element: keyElement(names, values), names, values };
  if (text.length <= MAX_PARSED_LENGTH) {
    if (parsed.size >= MAX_PARSED) parsed.clear();
    parsed.set(text, result);
  }
  return result;
}

function parsedValue(text: string): JSONValue {
  try {
    return parseJSON(text) as JSONValue;
  } catch (error) {
    throw new FormatError(`invalid path element ${goQuote(text)}`, { cause: error });
  }
}

/** As conflicts print it: `.name`, `[name="a"]`, `[="x"]`, `[0]`. */
export function elementText(element: PathElement): string {
  switch (element[0]) {
    case 'f':
      return `.${element.slice(2)}`;
    case 'i':
      return `[${element.slice(2)}]`;
    case 'v':
      return `[=${valueText(parseJSON(element.slice(2)) as JSONValue)}]`;
    default: {
      const { names, values } = parseKeys(element);
      return `[${names.map((name, i) => `${name}=${valueText(values[i] ?? null)}`).join(',')}]`;
    }
  }
}

function valueText(value: JSONValue): string {
  if (value === null) return 'null';
  switch (typeof value) {
    case 'string':
      return goQuote(value);
    case 'number':
    case 'bigint':
      return goNumber(value);
    case 'boolean':
      return String(value);
    default:
      return Array.isArray(value)
        ? `[${value.map(valueText).join(',')}]`
        : Object.entries(value)
            .map(([key, item]) => `${key}=${valueText(item)}`)
            .join('');
  }
}

const kindOrder = new Map<string, number>([
  ['f', 0],
  ['k', 1],
  ['v', 2],
  ['i', 3],
]);

/** What an element is compared by: reading it takes longer than comparing it. */
interface ElementOrder {
  readonly kind: number;
  /** Of a field, or of the keys. */
  readonly names: readonly string[];
  /** Of the keys, the item or the index. */
  readonly values: readonly JSONValue[];
}

/** Of one key that is a plain string, as nearly all lists have, and of an item that is one: these need no parser. */
const plainKey = /^k:\{"([\w ./:@-]*)":"([\w ./:@-]*)"\}$/;
const plainItem = /^v:"([\w ./:@-]*)"$/;
const noNames: readonly string[] = [];

function orderOf(element: PathElement): ElementOrder {
  const kind = kindOrder.get(element[0] ?? '') ?? 4;
  switch (element[0]) {
    case 'f':
      return { kind, names: [element], values: [] };
    case 'i':
      return { kind, names: noNames, values: [Number(element.slice(2))] };
    case 'v':
      return {
        kind,
        names: noNames,
        values: [plainItem.exec(element)?.[1] ?? (parseJSON(element.slice(2)) as JSONValue)],
      };
    default: {
      const [, name, value] = plainKey.exec(element) ?? [];
      if (name !== undefined && value !== undefined) return { kind, names: [name], values: [value] };
      const { names, values } = parseKeys(element);
      return { kind, names, values };
    }
  }
}

/** Fields by name, then keys, values and indexes; the order of the wire form and of conflicts. */
export function compareElements(a: PathElement, b: PathElement): number {
  return compareOrders(orderOf(a), orderOf(b));
}

function compareOrders(a: ElementOrder, b: ElementOrder): number {
  if (a.kind !== b.kind) return a.kind - b.kind;
  for (let i = 0; i < a.names.length && i < b.names.length; i++) {
    const order = compareText(a.names[i] ?? '', b.names[i] ?? '') || compareValues(a.values[i], b.values[i]);
    if (order !== 0) return order;
  }
  return a.names.length === 0 && b.names.length === 0
    ? compareValues(a.values[0], b.values[0])
    : a.names.length - b.names.length;
}

const typeOrder = new Map<string, number>([
  ['number', 0],
  ['string', 1],
  ['boolean', 2],
  ['object', 3],
]);

/** Missing values are null. */
function compareValues(a: JSONValue | undefined = null, b: JSONValue | undefined = null): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return (typeOrder.get(typeof a) ?? 4) - (typeOrder.get(typeof b) ?? 4);
}

/** Sorts elements in place, in the order of {@link compareElements}. */
export function sortElements(elements: PathElement[]): PathElement[] {
  if (elements.length < 2) return elements;
  for (const element of elements) {
    // The built-in order of strings is right for field names, but not beyond U+D7FF.
    if (element.charCodeAt(0) !== 102 || !ascii.test(element)) {
      sortByElement(elements, (each) => each);
      return elements;
    }
  }
  return sortStrings(elements);
}

/**
 * Sorts items in place by their elements, in the order of {@link compareElements}; each element is read once, however
 * many it is compared with. Items that are in order already, as most are, are left as they are.
 */
export function sortByElement<T>(items: T[], elementOf: (item: T) => PathElement): void {
  const ordered = items.map((item) => ({ item, order: orderOf(elementOf(item)) }));
  if (ordered.every(({ order }, i) => i === 0 || compareOrders(ordered[i - 1]!.order, order) <= 0)) return;
  ordered.sort((a, b) => compareOrders(a.order, b.order));
  for (const [i, { item }] of ordered.entries()) items[i] = item;
}

// oxlint-disable-next-line no-control-regex -- any ASCII, control characters included
const ascii = /^[\x00-\x7f]*$/;

/** `"f:name":`, for each element; when full it starts anew: some 2 MB. */
const keys = new Map<PathElement, string>();

/** The element as a key of the wire form's JSON, with its colon. */
export function elementKey(element: PathElement): string {
  let key = keys.get(element);
  if (key === undefined) {
    key = `${JSON.stringify(element)}:`;
    if (element.length > MAX_PARSED_LENGTH) return key;
    if (keys.size >= MAX_PARSED) keys.clear();
    keys.set(element, key);
  }
  return key;
}
