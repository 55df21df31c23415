import { GoValue, goQuote } from '@kubechain/apimachinery';
import { ObjectValue } from './messages.ts';
import { durationText, timestampText } from './time.ts';
import { jsonOf } from './to-json.ts';
import {
  CelDuration,
  CelError,
  CelOptional,
  CelTime,
  CelTypeValue,
  CelUint,
  EntryMap,
  GrowingList,
  GrowingMap,
  ItemList,
  isList,
  isMap,
  itemsOf,
} from './values.ts';

const MONTHS =
  'January February March April May June July August September October November December'.split(' '); // prettier-ignore

/**
 * What `Object{…}` says, as cel-go hands it on: a list or map of a field is one, but those that an expression writes
 * within another list or map stay what they are in Go, and so do bytes, times and null, which fit no schema
 * (apiserver/cel/mutation/dynamic convertField, 1.36).
 *
 * @throws CelError for what is no object, or has a map whose keys are no text
 */
export function configurationOf(value: unknown): unknown {
  if (!(value instanceof ObjectValue)) return jsonOf(value);
  return Object.fromEntries([...value.fields].map(([name, field]) => [name, fieldOf(field)]));
}

function fieldOf(value: unknown): unknown {
  if (isList(value)) return itemsOf(value).map(nativeOf);
  if (!isMap(value)) return nativeOf(value);
  return Object.fromEntries(
    [...value.keys()].map((key) => {
      if (typeof key !== 'string') throw new CelError('invalid return type: *dynamic.ObjectVal');
      return [key, nativeOf(value.get(key))];
    }),
  );
}

function nativeOf(value: unknown): unknown {
  if (value instanceof ObjectValue) return configurationOf(value);
  if (value instanceof CelOptional) return value.present ? nativeOf(value.value) : null;
  if (value instanceof CelTypeValue) return value.typeName;
  return goValueOf(value) ?? jsonOf(value);
}

/** Undefined for what is JSON, lists and maps of an object that is read included. */
function goValueOf(value: unknown): GoValue | undefined {
  if (value === null) return new GoValue({ typeName: 'structpb.NullValue', text: 'NULL_VALUE', syntax: '0' });
  if (value instanceof CelUint)
    return new GoValue({ typeName: 'uint64', text: `${value.value}`, syntax: `0x${value.value.toString(16)}` });
  if (value instanceof Uint8Array) {
    const syntax = `[]uint8{${[...value].map((byte) => `0x${byte.toString(16)}`).join(', ')}}`;
    return new GoValue({ typeName: '[]uint8', text: `[${value.join(' ')}]`, syntax });
  }
  if (value instanceof CelTime)
    return new GoValue({ typeName: 'time.Time', text: timeText(value), syntax: timeSyntax(value) });
  if (value instanceof CelDuration)
    return new GoValue({ typeName: 'time.Duration', text: durationText(value), syntax: `${value.nanos}` });
  if (value instanceof ItemList || value instanceof GrowingList) {
    const { items } = value;
    const text = `[${items.map(writtenText).join(' ')}]`;
    return new GoValue({ typeName: '[]ref.Val', text, syntax: `[]ref.Val{${items.map(writtenSyntax).join(', ')}}` });
  }
  if (value instanceof EntryMap || value instanceof GrowingMap) {
    const entries = [...value.keys()].map((key) => [key, value.get(key)] as const);
    const inOrder = entries.toSorted(([a], [b]) => (writtenText(a) < writtenText(b) ? -1 : 1));
    const text = inOrder.map(([key, of]) => `${writtenText(key)}:${writtenText(of)}`).join(' ');
    const syntax = inOrder.map(([key, of]) => `${writtenSyntax(key)}:${writtenSyntax(of)}`).join(', ');
    return new GoValue({
      typeName: 'map[ref.Val]ref.Val',
      text: `map[${text}]`,
      syntax: `map[ref.Val]ref.Val{${syntax}}`,
    });
  }
  return undefined;
}

/** `%v` of a value within a list or map that an expression writes. */
function writtenText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (isList(value)) return `[${itemsOf(value).map(writtenText).join(', ')}]`;
  if (isMap(value))
    return `{${[...value.keys()].map((key) => `${writtenText(key)}: ${writtenText(value.get(key))}`).join(', ')}}`;
  return goValueOf(value)?.text ?? String(value);
}

function writtenSyntax(value: unknown): string {
  return typeof value === 'string' ? goQuote(value) : (goValueOf(value)?.syntax ?? String(value));
}

/** `2020-01-01 00:00:00 +0000 UTC` */
function timeText(time: CelTime): string {
  return `${timestampText(time).replace('T', ' ').replace('Z', '')} +0000 UTC`;
}

function timeSyntax({ nanos }: CelTime): string {
  const date = new Date(Number(nanos / 1_000_000n));
  const parts = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), nanos % 1_000_000_000n];
  const day = `${date.getUTCFullYear()}, time.${MONTHS[date.getUTCMonth()]}, ${date.getUTCDate()}`;
  return `time.Date(${day}, ${parts.join(', ')}, time.UTC)`;
}
