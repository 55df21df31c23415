import { FormatError, encodeJSONText, goValue, isPlainObject } from '@kubechain/apimachinery';

type Node =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recursive' }
  | {
      readonly kind: 'slice';
      readonly from: number | undefined;
      readonly to: number | undefined;
      readonly step: number;
      readonly single: boolean;
    }
  | { readonly kind: 'union'; readonly members: readonly Node[] }
  | { readonly kind: 'filter'; readonly left: Operand; readonly operator: string; readonly right: Operand | undefined };

type Operand =
  | { readonly kind: 'path'; readonly nodes: readonly Node[] }
  | { readonly kind: 'literal'; readonly value: unknown };

const fieldName = /(?:\\.|[^\\.,[\]$@{}\s])+/sy;
const comparison = /^(.*?)(==|!=|<=|>=|<|>)(.*)$/s;

/**
 * A path as kubectl's JSONPath writes them, without braces: `.spec.ports[0].port`, `.metadata.labels['a/b']`,
 * `.status.conditions[?(@.type=="Ready")].status`, `..name`, `[*]`, `[1:3]`, `['a','b']` (client-go/util/jsonpath).
 * Missing keys lead to nothing. Parsed once.
 */
export class JSONPath {
  readonly #nodes: readonly Node[];

  private constructor(nodes: readonly Node[]) {
    this.#nodes = nodes;
  }

  /** @throws FormatError when the path cannot be read */
  static parse(text: string): JSONPath {
    return new JSONPath(parseNodes(text));
  }

  /** The first value that the path leads to, in order; undefined where there is none, or an index is out of range. */
  first(value: unknown, steps: SearchSteps = { left: Infinity }): unknown {
    const found = new Search(steps).first(this.#nodes, 0, value);
    return found === NOTHING ? undefined : found;
  }
}

/** How many steps searches may still take, together: what they have not found then is not there. */
export interface SearchSteps {
  left: number;
}

/** A value as a printer column of type string shows it: objects and lists as JSON, all else as Go prints it. */
export function printResult(value: unknown): string {
  if (value === null || value === undefined) return '<no value>';
  return typeof value === 'object' ? encodeJSONText(value) : goValue(value);
}

function parseNodes(text: string): Node[] {
  const nodes: Node[] = [];
  let at = 0;
  while (at < text.length) {
    const character = text[at] ?? '';
    if (/[\s$@]/.test(character)) at++;
    else if (character === '[') {
      const end = closing(text, at);
      nodes.push(parseBracket(text.slice(at + 1, end)));
      at = end + 1;
    } else {
      if (character === '.') at++;
      if (text[at] === '.') {
        nodes.push({ kind: 'recursive' });
        at++;
      }
      if (at >= text.length || text[at] === '[') continue;
      fieldName.lastIndex = at;
      const name = fieldName.exec(text)?.[0];
      if (name === undefined)
        throw new FormatError(
          'unrecognized character in action: ' +
            `U+${(text.codePointAt(at) ?? 0).toString(16).toUpperCase().padStart(4, '0')} '${text[at] ?? ''}'`,
        );
      nodes.push(name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll('\\', '') });
      at += name.length;
    }
  }
  return nodes;
}

/** Index of the bracket that closes the one at `start`. */
function closing(text: string, start: number): number {
  let depth = 0,
    quote = '';
  for (let i = start; i < text.length; i++) {
    const character = text[i] ?? '';
    if (quote !== '') {
      if (character === '\\') i++;
      else if (character === quote) quote = '';
    } else if (character === "'" || character === '"') quote = character;
    else if (character === '[') depth++;
    else if (character === ']' && --depth === 0) return i;
  }
  throw new FormatError('unterminated array');
}

function parseBracket(text: string): Node {
  if (text === '*') return { kind: 'wildcard' };
  if (text.startsWith('?(') && text.endsWith(')')) return parseFilter(text.slice(2, -1));
  const parts = text.match(/'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,'"]+/gs) ?? [];
  if (parts.length > 1) return { kind: 'union', members: parts.map((part) => parseBracket(part.trim())) };
  const quoted = /^'([^']*)'$/.exec(text.trim());
  if (quoted !== null) return { kind: 'field', name: (quoted[1] ?? '').replace(/\\(.)/gs, '$1') };
  const slice = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(text.trim());
  if (slice === null || text === '') throw new FormatError(`invalid array index ${text}`);
  const number = (digits: string | undefined): number | undefined =>
    digits === undefined || digits === '' || digits === '-' ? undefined : Number(digits);
  return {
    kind: 'slice',
    from: number(slice[1]),
    to: number(slice[2]),
    step: number(slice[3]) ?? 1,
    single: slice[2] === undefined && slice[3] === undefined,
  };
}

function parseFilter(text: string): Node {
  const match = comparison.exec(text);
  if (match === null) return { kind: 'filter', left: parseOperand(text), operator: 'exists', right: undefined };
  return {
    kind: 'filter',
    left: parseOperand(match[1] ?? ''),
    operator: match[2] ?? '',
    right: parseOperand(match[3] ?? ''),
  };
}

function parseOperand(text: string): Operand {
  const trimmed = text.trim();
  const quoted = /^(?:'(.*)'|"(.*)")$/s.exec(trimmed);
  if (quoted !== null) return { kind: 'literal', value: (quoted[1] ?? quoted[2] ?? '').replace(/\\(.)/gs, '$1') };
  if (/^[+-]?\d+(?:\.\d+)?$/.test(trimmed)) return { kind: 'literal', value: Number(trimmed) };
  if (trimmed === 'true' || trimmed === 'false') return { kind: 'literal', value: trimmed === 'true' };
  return { kind: 'path', nodes: parseNodes(trimmed) };
}

const NOTHING = Symbol('nothing');

/**
 * The search for the first value of one object. What a part of the path leads to from one value is found out once: a
 * path of several `..` comes to the same values on a number of ways that grows with the power of their number.
 */
class Search {
  readonly #steps: SearchSteps;
  readonly #known = new Map<readonly Node[], (Map<object, unknown> | undefined)[]>();

  constructor(steps: SearchSteps) {
    this.#steps = steps;
  }

  /** What the path leads to from its node `at` on. */
  first(nodes: readonly Node[], at: number, value: unknown): unknown {
    const node = nodes[at];
    if (node === undefined) return value;
    if (--this.#steps.left < 0) return NOTHING;
    // No step leads from any other value.
    if (typeof value !== 'object' || value === null)
      return node.kind === 'recursive' ? this.first(nodes, at + 1, value) : NOTHING;
    const known = this.#knownAt(nodes, at);
    const before = known.get(value);
    if (before !== undefined) return before;
    const rest = (next: unknown): unknown => this.first(nodes, at + 1, next);
    const here = this.#step(node, value, rest);
    const found =
      here === NOTHING && node.kind === 'recursive'
        ? firstOf(membersOf(value), (member) => this.first(nodes, at, member))
        : here;
    known.set(value, found);
    return found;
  }

  #knownAt(nodes: readonly Node[], at: number): Map<object, unknown> {
    let ofNodes = this.#known.get(nodes);
    if (ofNodes === undefined) this.#known.set(nodes, (ofNodes = []));
    return (ofNodes[at] ??= new Map());
  }

  #step(node: Node, value: object, rest: (value: unknown) => unknown): unknown {
    switch (node.kind) {
      case 'field':
        return isPlainObject(value) && Object.hasOwn(value, node.name) ? rest(value[node.name]) : NOTHING;
      case 'wildcard':
        return firstOf(membersOf(value), rest);
      case 'recursive':
        return rest(value);
      case 'union':
        return firstOf(node.members, (member) => this.#step(member, value, rest));
      case 'slice':
        return Array.isArray(value) ? firstOf(slice(value, node), rest) : NOTHING;
      case 'filter':
        return Array.isArray(value)
          ? firstOf(value, (item) => (this.#holds(node, item) ? rest(item) : NOTHING))
          : NOTHING;
      default:
        return node satisfies never;
    }
  }

  #holds({ left, operator, right }: Extract<Node, { kind: 'filter' }>, item: unknown): boolean {
    const a = this.#resolve(left, item);
    if (a === NOTHING) return false;
    if (right === undefined) return true;
    const b = this.#resolve(right, item);
    return b !== NOTHING && compare(a, operator, b);
  }

  #resolve(operand: Operand, item: unknown): unknown {
    return operand.kind === 'literal' ? operand.value : this.first(operand.nodes, 0, item);
  }
}

function membersOf(value: object): readonly unknown[] {
  return Array.isArray(value) ? value : Object.values(value);
}

function firstOf<T>(values: readonly T[], find: (value: T) => unknown): unknown {
  for (const value of values) {
    const found = find(value);
    if (found !== NOTHING) return found;
  }
  return NOTHING;
}

function slice(
  list: readonly unknown[],
  { from, to, step: stride, single }: Extract<Node, { kind: 'slice' }>,
): unknown[] {
  const resolve = (index: number): number => (index < 0 ? index + list.length : index);
  const first = resolve(from ?? 0);
  if (single) return first >= 0 && first < list.length ? [list[first]] : [];
  const end = Math.min(to === undefined ? list.length : resolve(to), list.length);
  const found: unknown[] = [];
  if (stride <= 0 || first < 0) return found;
  for (let i = first; i < end; i += stride) found.push(list[i]);
  return found;
}

/** Values of different types are never equal, nor in any order. */
function compare(a: unknown, operator: string, b: unknown): boolean {
  const sameType = typeof a === typeof b && (typeof a === 'string' || typeof a === 'number' || typeof a === 'boolean');
  if (!sameType) return operator === '!=';
  const x = a as string | number,
    y = b as string | number;
  switch (operator) {
    case '==':
      return x === y;
    case '!=':
      return x !== y;
    case '<':
      return x < y;
    case '>':
      return x > y;
    case '<=':
      return x <= y;
    case '>=':
      return x >= y;
    default:
      return false;
  }
}
