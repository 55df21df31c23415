import {
  CelDuration,
  CelOpaque,
  CelOptional,
  CelTime,
  CelTypeValue,
  CelUint,
  isList,
  isMap,
  itemsOf,
  typeNameOf,
} from './values.ts';
import { formatDouble } from './numbers.ts';
import { durationText, timestampText } from './time.ts';

/** A value as messages of failures print it, as Go's %v of cel-go's values. */
export function displayText(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return formatDouble(value);
    case 'bigint':
    case 'boolean':
      return String(value);
    default:
  }
  if (value === null) return 'null';
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof CelTime) return timestampText(value);
  if (value instanceof CelDuration) return durationText(value);
  if (value instanceof CelTypeValue) return value.typeName;
  if (value instanceof CelOptional) return value.present ? `optional(${displayText(value.value)})` : 'optional.none()';
  if (isList(value)) return `[${itemsOf(value).map(displayText).join(', ')}]`;
  return isMap(value)
    ? `{${[...value.keys()].map((key) => `${displayText(key)}: ${displayText(value.get(key))}`).join(', ')}}`
    : value instanceof CelOpaque
      ? value.text
      : typeNameOf(value);
}
