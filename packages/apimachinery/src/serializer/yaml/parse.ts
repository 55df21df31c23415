import { limits } from '../../limits/limits.ts';
import { DecodeError } from '../decode-error.ts';
import { manyValues } from '../json/many-values.ts';
import { RawObject } from '../json/tree.ts';
import type { RawValue } from '../json/tree.ts';
import { AliasBudget } from './alias-budget.ts';
import { refusal } from './cursor.ts';
import { Mapping, mappingKey, shownKey } from './mapping.ts';
import { readTagged } from './read-tagged.ts';
import { NotFinite, resolveScalar } from './resolve-scalar.ts';
import { Scanner } from './scanner.ts';
import type { Token, TokenKind } from './scanner.ts';
import { TagDirectives, YAML_TAG } from './tag-directives.ts';

/** The first document of a YAML stream as a JSON tree, as sigs.k8s.io/yaml converts it. */
export interface YAMLTree {
  /** Keys of objects are sorted and unique; an empty stream is null. Aliases share what they stand for. */
  readonly value: RawValue;
  /** `yaml: unmarshal errors:\n  line 5: key "name" already set in map`, if keys occur twice. */
  readonly duplicates: string | undefined;
}

/**
 * Reads a YAML stream's first document, as sigs.k8s.io/yaml 1.6 (go-yaml v2.4) does: YAML 1.1 without base-60 numbers,
 * `<<` overwriting what stands before it. In one pass: each character is scanned once, an alias costs nothing, and a
 * `<<` no more than the keys that it brings, of which {@link AliasBudget} allows as many as go-yaml.
 *
 * @throws DecodeError `Unreadable` with go-yaml's text
 * @throws StatusError 413 for more nodes than a document may have
 */
export function parseYAML(text: string): YAMLTree {
  try {
    return new DocumentReader(text).read();
  } catch (error) {
    // Called with little of the stack left, the reader ends before its limit.
    if (error instanceof RangeError) throw new DecodeError('Unreadable', `yaml: ${TOO_DEEP}`, { cause: error });
    throw error;
  }
}

const TOO_DEEP = `exceeded max depth of ${limits.yamlDepth.value}`;

/** Of a mapping's member two are written: its key and its value. */
const MOST_NODES = 2 * limits.bodyValues.value;

/** What YAML does not allow in a text. */
// oxlint-disable-next-line no-control-regex
const NOT_ALLOWED = /[\0-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;

/** What an anchor stands for. */
interface Anchored {
  value: RawValue;
  /** Its nodes, those of aliases in it counted as often as they are used. */
  nodes: number;
  /** Not read to its end: an alias here would be in itself. */
  open: boolean;
}

/** go-yaml reads the text, then the values, then converts keys and numbers to JSON; the first to fail is told. */
type Stage = 'keys' | 'numbers' | 'values';
const STAGES: readonly Stage[] = ['values', 'keys', 'numbers'];

/** What a node's place allows, and what was written before it. */
interface Traits {
  readonly block: boolean;
  /** A list may stand at the indentation of the key before it. */
  readonly indentless: boolean;
  readonly tag: string | undefined;
}

/** Nodes are read by recursion, and become values at once. */
class DocumentReader {
  readonly #text: string;
  readonly #scanner: Scanner;
  readonly #budget = new AliasBudget();
  readonly #anchors = new Map<string, Anchored>();
  /** Mappings that may be merged into others, and how many reasons there are to keep the one being read. */
  readonly #mappings = new WeakMap<RawObject, Mapping>();
  #mergeable = 0;
  #tags = new TagDirectives();
  #depth = 0;
  readonly #duplicates: string[] = [];
  /** The first mistake of each stage. */
  readonly #mistakes = new Map<Stage, string>();
  /** About the node read last: where it started, whether it was an alias, and whether it is a `<<`. */
  #line = 0;
  #wasAlias = false;
  #wasMerge = false;
  /** Some alias stands in what it is an alias of. */
  #inItself = false;

  constructor(text: string) {
    this.#text = text;
    this.#scanner = new Scanner(text);
  }

  read(): YAMLTree {
    if (NOT_ALLOWED.test(this.#text)) throw refusal('control characters are not allowed', 0);
    const value = this.#document();
    for (const stage of STAGES) {
      const mistake = this.#mistakes.get(stage);
      if (mistake !== undefined) throw new DecodeError('Unreadable', mistake);
    }
    const duplicates = this.#duplicates;
    return {
      value,
      duplicates: duplicates.length === 0 ? undefined : `yaml: unmarshal errors:\n${duplicates.join('\n')}`,
    };
  }

  #mistake(stage: Stage, message: string): void {
    if (!this.#mistakes.has(stage)) this.#mistakes.set(stage, message);
  }

  #document(): RawValue {
    const scanner = this.#scanner;
    const { kind } = scanner.peek();
    if (kind === 'end') return null;
    this.#tags = TagDirectives.read(scanner);
    let value: RawValue;
    this.#count(1);
    if (kind === 'directive' || kind === 'document start') {
      const token = scanner.peek();
      if (token.kind !== 'document start') throw refusal('did not find expected <document start>', token.line);
      scanner.skip();
      const next = scanner.peek();
      value = ENDS_DOCUMENT.has(next.kind) ? this.#empty(next.line) : this.#node(true, false);
    } else value = this.#node(true, false);
    // Whatever follows is scanned, and then taken for the document's end.
    scanner.peek();
    return value;
  }

  #count(nodes: number): void {
    if (!this.#budget.count(nodes)) this.#tooManyAliases();
    if (this.#budget.written > MOST_NODES) throw manyValues();
  }

  #tooManyAliases(): void {
    this.#mistake('values', 'yaml: document contains excessive aliasing');
  }

  /** What stands for a node that is not there. */
  #empty(line: number): RawValue {
    this.#count(1);
    this.#end(line, false, false);
    return null;
  }

  #end(line: number, alias: boolean, merge: boolean): void {
    this.#line = line;
    this.#wasAlias = alias;
    this.#wasMerge = merge;
  }

  #node(block: boolean, indentless: boolean): RawValue {
    const scanner = this.#scanner;
    const token = scanner.peek();
    const { kind, line } = token;
    if (kind === 'scalar') {
      const { plain, text } = token;
      scanner.skip();
      this.#count(1);
      const value = plain ? this.#plain(text) : text;
      this.#end(line, false, plain && text === '<<');
      return value;
    }
    if (kind === 'alias') return this.#alias(token.text, line);
    if (kind === 'anchor' || kind === 'tag') return this.#described(block, indentless, line);
    if (!isCollection(kind, block, indentless)) throw refusal('did not find expected node content', line);
    this.#count(1);
    const value = this.#collection(token);
    this.#end(line, false, false);
    return value;
  }

  #plain(text: string): RawValue {
    const value = resolveScalar(text);
    if (value instanceof NotFinite) this.#mistake('numbers', `json: unsupported value: ${value.text}`);
    return value;
  }

  #alias(name: string, line: number): RawValue {
    const anchored = this.#anchors.get(name);
    if (anchored === undefined) throw refusal(`unknown anchor '${name}' referenced`, 0);
    this.#scanner.skip();
    this.#count(1);
    if (anchored.open) {
      this.#inItself = true;
      this.#mistake('values', `yaml: anchor '${name}' value contains itself`);
    } else if (!this.#budget.countAliased(anchored.nodes)) this.#tooManyAliases();
    this.#end(line, true, false);
    return anchored.value;
  }

  /** A node with an anchor, a tag or both. */
  #described(block: boolean, indentless: boolean, line: number): RawValue {
    const scanner = this.#scanner;
    let anchor: string | undefined;
    let tag: string | undefined;
    let unknown: number | undefined;
    let token = scanner.peek();
    for (; ; token = scanner.peek()) {
      if (token.kind === 'anchor' && anchor === undefined) anchor = token.text;
      else if (token.kind === 'tag' && tag === undefined && token.tag !== undefined) {
        const whole = this.#tags.resolve(token.tag);
        if (whole === undefined) unknown = token.line;
        tag = whole ?? '';
      } else break;
      scanner.skip();
    }
    if (unknown !== undefined) throw refusal('found undefined tag handle', unknown);
    const before = this.#budget.nodes;
    const anchored: Anchored = { value: null, nodes: 1, open: true };
    if (anchor !== undefined) {
      this.#anchors.set(anchor, anchored);
      this.#mergeable++;
    }
    this.#count(1);
    const { plain, text } = token;
    const merge =
      token.kind === 'scalar' && text === '<<' && (tag === undefined ? plain : tag === MERGE_TAG || tag === '!');
    const value = this.#bare(token, { block, indentless, tag });
    if (anchor !== undefined) {
      this.#mergeable--;
      anchored.value = value;
      anchored.nodes = this.#budget.nodes - before;
      anchored.open = false;
    }
    this.#end(line, false, merge);
    return value;
  }

  #bare(token: Token, traits: Traits): RawValue {
    if (token.kind === 'scalar') {
      const { plain, text } = token;
      this.#scanner.skip();
      if (traits.tag !== undefined) return this.#tagged(text, traits.tag);
      return plain ? this.#plain(text) : text;
    }
    if (isCollection(token.kind, traits.block, traits.indentless)) return this.#collection(token);
    if (traits.tag !== undefined) return this.#tagged('', traits.tag);
    return null;
  }

  #tagged(text: string, tag: string): RawValue {
    const { mistake, value } = readTagged(text, tag);
    if (mistake !== undefined) this.#mistake('values', `yaml: ${mistake}`);
    if (value instanceof NotFinite) this.#mistake('numbers', `json: unsupported value: ${value.text}`);
    return value;
  }

  #collection(token: Token): RawValue {
    if (++this.#depth > limits.yamlDepth.value) throw refusal(TOO_DEEP, token.line);
    let value: RawValue;
    switch (token.kind) {
      case 'flow sequence':
        value = this.#flowList();
        break;
      case 'flow mapping':
        value = this.#flowMapping();
        break;
      case 'block sequence':
        value = this.#blockList();
        break;
      case 'block mapping':
        value = this.#blockMapping();
        break;
      default:
        value = this.#indentlessList();
    }
    this.#depth--;
    return value;
  }

  #blockList(): RawValue[] {
    const scanner = this.#scanner;
    const items: RawValue[] = [];
    scanner.skip();
    for (;;) {
      const { kind, line } = scanner.peek();
      if (kind === 'block end') {
        scanner.skip();
        return items;
      }
      if (kind !== 'block entry') throw refusal("did not find expected '-' indicator", line);
      scanner.skip();
      const next = scanner.peek().kind;
      items.push(next === 'block entry' || next === 'block end' ? this.#empty(line) : this.#node(true, false));
    }
  }

  #indentlessList(): RawValue[] {
    const scanner = this.#scanner;
    const items: RawValue[] = [];
    for (;;) {
      const { kind, line } = scanner.peek();
      if (kind !== 'block entry') return items;
      scanner.skip();
      const next = scanner.peek().kind;
      items.push(next === 'block entry' || ENDS_MEMBER.has(next) ? this.#empty(line) : this.#node(true, false));
    }
  }

  #flowList(): RawValue[] {
    const scanner = this.#scanner;
    const items: RawValue[] = [];
    scanner.skip();
    for (let first = true; ; first = false) {
      let token = scanner.peek();
      if (token.kind !== 'flow sequence end' && !first) {
        if (token.kind !== 'flow entry') throw refusal("did not find expected ',' or ']'", token.line);
        scanner.skip();
        token = scanner.peek();
      }
      if (token.kind === 'flow sequence end') {
        scanner.skip();
        return items;
      }
      if (token.kind !== 'key') items.push(this.#node(false, false));
      else {
        scanner.skip();
        this.#count(1);
        items.push(this.#pair());
        this.#wasAlias = false;
      }
    }
  }

  /** `a: b` in a flow list: a mapping of one key. */
  #pair(): RawObject {
    const scanner = this.#scanner;
    const mapping = new Mapping(this.#mergeable > 0);
    const { kind, line } = scanner.peek();
    const none = kind === 'value' || kind === 'flow entry' || kind === 'flow sequence end';
    // go-yaml steps over the token that stands where the key should, whatever it is.
    if (none) scanner.skip();
    this.#member(
      mapping,
      () => (none ? this.#empty(line) : this.#node(false, false)),
      () => this.#flowValue('flow sequence end'),
    );
    return this.#finish(mapping);
  }

  #flowMapping(): RawObject {
    const scanner = this.#scanner;
    const mapping = new Mapping(this.#mergeable > 0);
    scanner.skip();
    for (let first = true; ; first = false) {
      let token = scanner.peek();
      if (token.kind !== 'flow mapping end' && !first) {
        if (token.kind !== 'flow entry') throw refusal("did not find expected ',' or '}'", token.line);
        scanner.skip();
        token = scanner.peek();
      }
      if (token.kind === 'flow mapping end') {
        scanner.skip();
        return this.#finish(mapping);
      }
      if (token.kind === 'key') {
        scanner.skip();
        this.#member(mapping, this.#flowKey, this.#flowMappingValue);
      } else this.#member(mapping, this.#flowNode, this.#noValue);
    }
  }

  // Readers of members are made once, not for each member.
  readonly #flowNode = (): RawValue => this.#node(false, false);
  readonly #noValue = (): RawValue => this.#empty(this.#scanner.peek().line);
  readonly #flowMappingValue = (): RawValue => this.#flowValue('flow mapping end');
  readonly #flowKey = (): RawValue => {
    const { kind, line } = this.#scanner.peek();
    return kind === 'value' || kind === 'flow entry' || kind === 'flow mapping end'
      ? this.#empty(line)
      : this.#node(false, false);
  };
  readonly #blockKey = (): RawValue => this.#blockMember();
  readonly #blockValue = (): RawValue => {
    const { kind, line } = this.#scanner.peek();
    return kind === 'value' ? this.#blockMember() : this.#empty(line);
  };

  #flowValue(end: TokenKind): RawValue {
    const scanner = this.#scanner;
    if (scanner.peek().kind === 'value') {
      scanner.skip();
      const { kind } = scanner.peek();
      if (kind !== 'flow entry' && kind !== end) return this.#node(false, false);
    }
    return this.#empty(scanner.peek().line);
  }

  #blockMapping(): RawObject {
    const scanner = this.#scanner;
    const mapping = new Mapping(this.#mergeable > 0);
    scanner.skip();
    for (;;) {
      const { kind, line } = scanner.peek();
      if (kind === 'block end') {
        scanner.skip();
        return this.#finish(mapping);
      }
      if (kind !== 'key') throw refusal('did not find expected key', line);
      this.#member(mapping, this.#blockKey, this.#blockValue);
    }
  }

  /** What stands behind `?` or `:`, or behind where they are left out. */
  #blockMember(): RawValue {
    const scanner = this.#scanner;
    const { line } = scanner.peek();
    scanner.skip();
    return ENDS_MEMBER.has(scanner.peek().kind) ? this.#empty(line) : this.#node(true, true);
  }

  #member(mapping: Mapping, readKey: () => RawValue, readValue: () => RawValue): void {
    const finite = !this.#mistakes.has('numbers');
    const key = readKey();
    // A key may be `.inf`.
    if (finite) this.#mistakes.delete('numbers');
    if (this.#wasMerge) {
      this.#budget.count(-1);
      this.#mergeable++;
      const before = this.#mistakes.get('values');
      const value = readValue();
      this.#mergeable--;
      if (!this.#merge(mapping, value) && before === undefined && !this.#inItself)
        this.#mistakes.set('values', NOT_MERGEABLE);
      return;
    }
    const name = mappingKey(key);
    if (typeof name !== 'string') this.#mistake(name.stage, name.message);
    const value = readValue();
    if (typeof name === 'string' && mapping.set(name, value, this.#line)) this.#repeated(name, this.#line);
  }

  readonly #repeated = (key: string, line: number): void => {
    this.#duplicates.push(`  line ${line + 1}: key ${shownKey(key)} already set in map`);
  };

  /** Whether there was something to merge. */
  #merge(mapping: Mapping, value: RawValue): boolean {
    const list = Array.isArray(value) && !this.#wasAlias;
    // Nothing more is made of a document that is refused already.
    if (this.#mistakes.has('values')) return list || value instanceof RawObject;
    if (list) this.#budget.count(-1);
    // Earlier ones win, and so come last.
    for (const item of list ? value.toReversed() : [value]) {
      const other = item instanceof RawObject ? this.#mappings.get(item) : undefined;
      if (other === undefined) return false;
      mapping.merge(other, this.#repeated);
    }
    return true;
  }

  #finish(mapping: Mapping): RawObject {
    const object = mapping.toObject(({ message, stage }) => {
      this.#mistake(stage, message);
    });
    if (this.#mergeable > 0) this.#mappings.set(object, mapping);
    return object;
  }
}

/** Whether a collection starts with the token; in flow context only those of brackets do. */
function isCollection(kind: TokenKind, block: boolean, indentless: boolean): boolean {
  switch (kind) {
    case 'flow sequence':
    case 'flow mapping':
      return true;
    case 'block sequence':
    case 'block mapping':
      return block;
    default:
      return kind === 'block entry' && indentless;
  }
}

const NOT_MERGEABLE = 'yaml: map merge requires map or sequence of maps as the value';
const MERGE_TAG = `${YAML_TAG}merge`;
const ENDS_DOCUMENT: ReadonlySet<TokenKind> = new Set(['directive', 'document start', 'document end', 'end']);
const ENDS_MEMBER: ReadonlySet<TokenKind> = new Set(['key', 'value', 'block end']);
