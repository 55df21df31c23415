import { goQuote } from '../../errors/go-format.ts';
import { RawNumber, RawObject } from '../json/tree.ts';
import type { RawValue } from '../json/tree.ts';

/** A value of a YAML document as Go's `%#v` prints what yaml.v2 makes of it. */
export function goSyntax(value: RawValue): string {
  return value === null ? '<nil>' : nested(value);
}

function nested(value: RawValue): string {
  if (value === null) return 'interface {}(nil)';
  if (typeof value === 'string') return goQuote(value);
  if (typeof value === 'boolean') return String(value);
  if (value instanceof RawNumber) return value.text;
  if (value instanceof RawObject)
    return `map[interface {}]interface {}{${value.keys.map((key, i) => `${goQuote(key)}:${nested(value.values[i] ?? null)}`).join(', ')}}`;
  return `[]interface {}{${value.map(nested).join(', ')}}`;
}
