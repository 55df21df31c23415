import { isAlias, isCollection, isMap, isPair, isScalar, isSeq, LineCounter, parseAllDocuments } from 'yaml';
import type { Alias, Document, Node, Pair, Scalar, YAMLMap, YAMLParseError } from 'yaml';
import { goQuote } from '../../errors/go-format.ts';
import { DecodeError } from '../decode-error.ts';
import { RawNumber, RawObject } from '../json/tree.ts';
import type { RawValue } from '../json/tree.ts';
import { yamlErrorText } from './error-text.ts';
import { indentFlows } from './flow.ts';
import { goSyntax } from './go-syntax.ts';
import { NOT_A_NUMBER, resolveScalar } from './resolve-scalar.ts';

/** The first document of a YAML stream as a JSON tree, as sigs.k8s.io/yaml converts it. */
export interface YAMLTree {
  /** Keys of objects are sorted and unique; an empty stream is null. */
  readonly value: RawValue;
  /** `yaml: unmarshal errors:\n  line 5: key "name" already set in map`, if keys occur twice. */
  readonly duplicates: string | undefined;
}

/** @throws DecodeError `Unreadable` with the text of Go's yaml.v2 */
export function parseYAML(text: string): YAMLTree {
  try {
    return convert(text);
  } catch (error) {
    // The parser recurses: its stack ends before Go's limit is reached.
    if (error instanceof RangeError)
      throw new DecodeError('Unreadable', 'yaml: exceeded max depth of 10000', { cause: error });
    throw error;
  }
}

function convert(text: string): YAMLTree {
  if (openBrackets(text) > MAX_FLOW_DEPTH)
    throw new DecodeError('Unreadable', `yaml: exceeded max depth of ${MAX_FLOW_DEPTH}`);
  let { document, lines } = parse(text);
  if (text.includes('\n') && document?.errors.some(isFlowIndent) === true)
    ({ document, lines } = parse(indentFlows(text)));
  if (document === undefined) return { value: null, duplicates: undefined };
  // yaml.v2 reads one node and stops: what follows a flow collection at the root is never looked at.
  const end =
    isCollection(document.contents) && document.contents.flow === true ? document.contents.range?.[1] : undefined;
  const failure = document.errors.find(
    (error) => end === undefined || error.pos[0] < end || text[end - 1] !== (isMap(document.contents) ? '}' : ']'),
  );
  if (failure !== undefined)
    throw new DecodeError('Unreadable', yamlErrorText(failure, document.source, lines), { cause: failure });
  const converter = new Converter(lines);
  const value = converter.node(document.contents);
  const { duplicates } = converter;
  return {
    value,
    duplicates:
      duplicates.length === 0
        ? undefined
        : `yaml: unmarshal errors:\n${duplicates.map((line) => `  ${line}`).join('\n')}`,
  };
}

function parse(source: string): {
  document: (Document.Parsed & { readonly source: string }) | undefined;
  lines: LineCounter;
} {
  const lines = new LineCounter();
  const documents = parseAllDocuments(source, {
    schema: 'failsafe',
    version: '1.1',
    uniqueKeys: false,
    merge: false,
    keepSourceTokens: false,
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'silent',
    stringKeys: false,
  });
  const document = Array.isArray(documents) ? (documents[0] as Document.Parsed | undefined) : undefined;
  return { document: document === undefined ? undefined : Object.assign(document, { source }), lines };
}

/** Go's limit. The parser here would reach it too, but only after seconds. */
const MAX_FLOW_DEPTH = 10_000;

/** How many brackets stand open at most, wherever they stand: an upper bound of how deep flow collections nest. */
function openBrackets(text: string): number {
  let open = 0,
    most = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 0x5b || c === 0x7b) {
      if (++open > most) most = open;
    } else if ((c === 0x5d || c === 0x7d) && open > 0) open--;
  }
  return most;
}

function isFlowIndent(error: YAMLParseError): boolean {
  return error.code === 'BAD_INDENT' && error.message.startsWith('Flow');
}

/** Go's protection against documents that are mostly expanded aliases. */
const ALIAS_COUNT_FLOOR = 100,
  NODE_COUNT_FLOOR = 1000;

class Converter {
  readonly duplicates: string[] = [];
  readonly #lines: LineCounter;
  readonly #anchors = new Map<string, Node>();
  readonly #open = new Set<Node>();
  #nodes = 0;
  #aliased = 0;
  #aliasDepth = 0;

  constructor(lines: LineCounter) {
    this.#lines = lines;
  }

  node(node: Node | null | undefined): RawValue {
    this.#nodes++;
    if (this.#aliasDepth > 0) this.#aliased++;
    if (
      this.#aliased > ALIAS_COUNT_FLOOR &&
      this.#nodes > NODE_COUNT_FLOOR &&
      this.#aliased / this.#nodes > allowedAliasRatio(this.#nodes)
    ) {
      throw new DecodeError('Unreadable', 'yaml: document contains excessive aliasing');
    }
    if (node === null || node === undefined) return null;
    if (isAlias(node)) return this.#alias(node);
    const anchor = (node as { anchor?: string }).anchor;
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    if (isScalar(node)) return scalarValue(node, (text) => new DecodeError('Unreadable', text));
    this.#open.add(node);
    const value = isMap(node)
      ? this.#map(node)
      : isSeq(node)
        ? node.items.map((item) => this.node(isPair(item) ? null : (item as Node)))
        : null;
    this.#open.delete(node);
    return value;
  }

  #alias(alias: Alias): RawValue {
    const target = this.#anchors.get(alias.source);
    if (target === undefined) throw new DecodeError('Unreadable', `yaml: unknown anchor '${alias.source}' referenced`);
    if (this.#open.has(target))
      throw new DecodeError('Unreadable', `yaml: anchor '${alias.source}' value contains itself`);
    this.#aliasDepth++;
    const value = this.node(target);
    this.#aliasDepth--;
    return value;
  }

  #map(map: YAMLMap): RawObject {
    const members = new Map<string, RawValue>();
    const merges: Node[] = [];
    for (const pair of map.items) {
      if (isMergeKey(pair)) {
        merges.push(pair.value as Node);
        continue;
      }
      const key = this.#key(pair);
      const value = this.node(pair.value as Node | null);
      if (members.has(key.name)) this.duplicates.push(`line ${this.#line(pair)}: key ${key.shown} already set in map`);
      members.set(key.name, value);
    }
    for (const merge of merges) this.#merge(merge, members);
    const object = new RawObject();
    for (const name of [...members.keys()].toSorted(compareStrings)) {
      object.keys.push(name);
      object.values.push(members.get(name) ?? null);
    }
    return object;
  }

  /** `<<`: members of the merged maps that are not set yet. */
  #merge(node: Node, members: Map<string, RawValue>): void {
    const target = isAlias(node) ? (this.#anchors.get(node.source) ?? node) : node;
    if (isSeq(target)) {
      for (const item of target.items) this.#merge(item as Node, members);
      return;
    }
    const value = this.node(node);
    if (!(value instanceof RawObject))
      throw new DecodeError('Unreadable', 'yaml: map merge requires map or sequence of maps as the value');
    for (let i = 0; i < value.keys.length; i++) {
      const key = value.keys[i] ?? '';
      if (!members.has(key)) members.set(key, value.values[i] ?? null);
    }
  }

  /** The key as JSON text, and as Go's `%#v` shows it. */
  #key(pair: Pair): { name: string; shown: string } {
    const key = this.node(pair.key as Node | null);
    if (typeof key === 'string') return { name: key, shown: goQuote(key) };
    if (typeof key === 'boolean') return { name: String(key), shown: String(key) };
    if (key instanceof RawNumber) return { name: key.text, shown: key.text };
    if (key === null)
      throw new DecodeError(
        'Unreadable',
        `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goSyntax(this.node(pair.value as Node | null))}`,
      );
    throw new DecodeError(
      'Unreadable',
      `yaml: invalid map key: ${Array.isArray(key) ? '[]interface {}{}' : 'map[interface {}]interface {}{}'}`,
    );
  }

  #line(pair: Pair): number {
    const range = (pair.value as Node | null)?.range ?? (pair.key as Node | null)?.range;
    return range === undefined || range === null ? 0 : this.#lines.linePos(range[0]).line;
  }
}

function isMergeKey(pair: Pair): boolean {
  return isScalar(pair.key) && pair.key.value === '<<' && pair.key.type === 'PLAIN';
}

function scalarValue(scalar: Scalar, error: (text: string) => DecodeError): RawValue {
  // The failsafe schema has no other values than text.
  const text = typeof scalar.value === 'string' ? scalar.value : '';
  const tag = scalar.tag;
  if (tag === '!!binary' || tag === 'tag:yaml.org,2002:binary') return Buffer.from(text, 'base64').toString('utf8');
  const plain = scalar.type === undefined || scalar.type === 'PLAIN';
  if (tag === undefined ? !plain : tag === 'tag:yaml.org,2002:str' || !tag.startsWith('tag:yaml.org,2002:'))
    return text;
  const value = resolveScalar(text);
  if (value === NOT_A_NUMBER)
    throw error(`json: unsupported value: ${/nan/i.test(text) ? 'NaN' : text.startsWith('-') ? '-Inf' : '+Inf'}`);
  return value;
}

function allowedAliasRatio(nodes: number): number {
  if (nodes <= 400_000) return 0.99;
  return nodes >= 4_000_000 ? 0.1 : 0.99 - (0.89 * (nodes - 400_000)) / 3_600_000;
}

function compareStrings(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
