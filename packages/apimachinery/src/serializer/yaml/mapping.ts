import { compareText, goQuote } from '../../errors/go-format.ts';
import { RawNumber, RawObject } from '../json/tree.ts';
import type { RawValue } from '../json/tree.ts';
import { goSyntax, OddlyKeyedObject } from './go-syntax.ts';
import { FloatNumber, NotFinite } from './resolve-scalar.ts';

/** Texts are keys of themselves; what is no text has a key that no text is. */
const NO_TEXT = '\0';

/** A key that go-yaml or the conversion to JSON refuses: a list or a mapping, or a null. */
export interface RefusedKey {
  readonly stage: 'keys' | 'values';
  readonly message: string;
}

/** Members of a mapping that is being read. Their keys tell `1` from `"1"`, as those of go-yaml do. */
export class Mapping {
  readonly #members = new Map<string, RawValue>();
  /** Lines of the values, counted from 0; kept where another mapping may merge this one. */
  readonly #lines: Map<string, number> | undefined;
  #sorted = true;
  #last = '';
  /** Keys that are no texts, by what they are called in JSON. */
  #others = 0;

  constructor(mergeable: boolean) {
    if (mergeable) this.#lines = new Map();
  }

  /** Sets a member; whether there was one already. */
  set(key: string, value: RawValue, line: number): boolean {
    const before = this.#members.size;
    this.#members.set(key, value);
    this.#lines?.set(key, line);
    if (this.#members.size === before) return true;
    if (compareText(key, this.#last) < 0) this.#sorted = false;
    this.#last = key;
    if (key.startsWith(NO_TEXT)) this.#others++;
    return false;
  }

  /** `<<`: all members of the other, over those that are here. `repeated` is told of each that was. */
  merge(other: Mapping, repeated: (key: string, line: number) => void): void {
    for (const [key, value] of other.#members) {
      const line = other.#lines?.get(key) ?? 0;
      if (this.set(key, value, line)) repeated(key, line);
    }
  }

  /** The JSON object; a key that JSON does not have is told to `refused`. */
  toObject(refused: (refusal: RefusedKey) => void): RawObject {
    if (this.#others > 0) {
      const object = new OddlyKeyedObject();
      const named = new Map<string, RawValue>();
      for (const [key, value] of this.#members) {
        const message = unsupported(key, value);
        if (message === undefined) named.set(nameOf(key), value);
        else refused({ stage: 'keys', message });
      }
      for (const key of [...named.keys()].toSorted(compareText)) add(object, key, named.get(key) ?? null);
      for (const key of [...this.#members.keys()].toSorted(compareKeys))
        object.shown.push([shownKey(key), this.#members.get(key) ?? null]);
      return object;
    }
    const object = new RawObject();
    if (this.#sorted) for (const [key, value] of this.#members) add(object, key, value);
    else
      for (const key of [...this.#members.keys()].toSorted(compareText))
        add(object, key, this.#members.get(key) ?? null);
    return object;
  }
}

function add(object: RawObject, key: string, value: RawValue): void {
  object.keys.push(key);
  object.values.push(value);
}

/** What a mapping calls the key; a refusal for lists and mappings. */
export function mappingKey(key: RawValue): string | RefusedKey {
  if (typeof key === 'string') return key.startsWith(NO_TEXT) ? `${NO_TEXT}s${key}` : key;
  if (typeof key === 'boolean') return `${NO_TEXT}b${String(key)}`;
  if (key === null) return `${NO_TEXT}n`;
  if (key instanceof FloatNumber) return `${NO_TEXT}f${String(key.value)}`;
  if (key instanceof NotFinite) return `${NO_TEXT}x${key.text}`;
  if (key instanceof RawNumber) return `${NO_TEXT}i${key.text}`;
  return { stage: 'values', message: `yaml: invalid map key: ${goSyntax(key)}` };
}

/** As Go's `%#v` shows the key. */
export function shownKey(key: string): string {
  if (!key.startsWith(NO_TEXT)) return goQuote(key);
  const text = key.slice(2);
  if (key[1] === 's') return goQuote(text);
  return key[1] === 'n' ? 'interface {}(nil)' : text;
}

const MAX_INT64 = 2n ** 63n - 1n;

/** Go's order of the keys of a map when it prints one: nulls first, then by type, then by value. */
function compareKeys(a: string, b: string): number {
  const [first, second] = [kindRank(a), kindRank(b)];
  if (first !== second) return first - second;
  if (first === KINDS.indexOf('i')) return Number(BigInt(a.slice(2)) - BigInt(b.slice(2)));
  if (first === KINDS.indexOf('f')) return Number(a.slice(2)) - Number(b.slice(2));
  return compareText(a, b);
}

/** Types of keys in the order in which Go's runtime happens to hold them; `s` stands for texts. */
const KINDS = ['n', 'b', 'f', 'x', 'i', 's'];

function kindRank(key: string): number {
  return KINDS.indexOf(key.startsWith(NO_TEXT) ? (key[1] ?? 's') : 's');
}

/** The refusal of a key that JSON has no name for. */
function unsupported(key: string, value: RawValue): string | undefined {
  if (!key.startsWith(NO_TEXT)) return undefined;
  if (key[1] === 'n') return `unsupported map key of type: %!s(<nil>), key: <nil>, value: ${goSyntax(value)}`;
  if (key[1] !== 'i' || BigInt(key.slice(2)) <= MAX_INT64) return undefined;
  return `unsupported map key of type: uint64, key: 0x${BigInt(key.slice(2)).toString(16)}, value: ${goSyntax(value)}`;
}

function nameOf(key: string): string {
  if (!key.startsWith(NO_TEXT)) return key;
  const text = key.slice(2);
  switch (key[1]) {
    case 'f':
      return float32Text(Number(text));
    case 'x':
      return text === 'NaN' ? '.nan' : text === '-Inf' ? '-.inf' : '.inf';
    default:
      return text;
  }
}

/** strconv.FormatFloat(value, 'g', -1, 32). */
function float32Text(value: number): string {
  const single = Math.fround(value);
  if (!Number.isFinite(single)) return single < 0 ? '-.inf' : '.inf';
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toPrecision(digits))) !== single) digits++;
  const shortest = Number(single.toPrecision(digits));
  const exponent = Number(shortest.toExponential().split('e')[1]);
  if (shortest !== 0 && (exponent < -4 || exponent >= 6)) {
    const [mantissa, power = '0'] = shortest.toExponential().split('e');
    return `${mantissa}e${power[0]}${power.slice(1).padStart(2, '0')}`;
  }
  return Object.is(shortest, -0) ? '-0' : shortest.toFixed(Math.max(0, digits - 1 - exponent));
}
