import { goQuote } from '../../errors/go-format.ts';
import { RawNumber, RawObject } from '../json/tree.ts';
import type { RawValue } from '../json/tree.ts';

/** A mapping with keys that are no texts: what they are called in JSON does not tell what they were. */
export class OddlyKeyedObject extends RawObject {
  /** Keys as `%#v` prints them, nulls among them, in Go's order. */
  readonly shown: (readonly [key: string, value: RawValue])[] = [];
}

/** A value of a YAML document as Go's `%#v` prints what yaml.v2 makes of it. */
export function goSyntax(value: RawValue): string {
  return value === null ? '<nil>' : nested(value);
}

function nested(value: RawValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof RawNumber) return value.text;
  if (value instanceof OddlyKeyedObject) return mapOf(value.shown);
  if (value instanceof RawObject) return mapOf(value.keys.map((key, i) => [goQuote(key), value.values[i] ?? null]));
  return `[]interface {}{${value.map(nested).join(', ')}}`;
}

function mapOf(members: readonly (readonly [key: string, value: RawValue])[]): string {
  return `map[interface {}]interface {}{${members.map(([key, value]) => `${key}:${nested(value)}`).join(', ')}}`;
}
