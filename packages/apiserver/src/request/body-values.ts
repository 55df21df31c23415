import { countCBORValues, countValues } from '@kubechain/apimachinery';
import { mostBytesHere, mostValuesHere, mostYAMLBytesHere } from './side-server.ts';

const LINE_FEED = 0x0a,
  SPACE = 0x20,
  COMMA = 0x2c,
  OPEN_BRACKET = 0x5b,
  OPEN_BRACE = 0x7b;

/** Bytes that a value takes at the least, in every format. */
const BYTES_PER_VALUE = 2;

/** Whether a body, or a stored object, is larger than what is worked on by the thread that serves everybody. */
export function isTooLargeHere(body: Uint8Array, contentType: string | undefined): boolean {
  const mostBytes = contentType?.includes('yaml') === true ? mostYAMLBytesHere : mostBytesHere;
  return body.length > mostBytes || mayHaveMoreValues(body, contentType, mostValuesHere);
}

/** The same for a decoded value, by what it would be as JSON; stops as soon as the answer is known. */
export function isTooLargeValueHere(value: unknown): boolean {
  let values = 0;
  let chars = 0;
  const waiting: unknown[][] = [[value]];
  for (let items = waiting.pop(); items !== undefined; items = waiting.pop()) {
    for (const item of items) {
      if (typeof item === 'string') chars += item.length;
      else if (typeof item === 'object' && item !== null) {
        const inner = Array.isArray(item) ? (item as unknown[]) : Object.values(item);
        values += inner.length;
        if (values > mostValuesHere) return true;
        if (inner.length > 0) waiting.push(inner);
      }
    }
    if (chars > mostBytesHere) return true;
  }
  return false;
}

/** Whether that is possible by its bytes alone; if so, `isTooLargeHere` has to count. */
export function mayBeTooLargeHere(json: Uint8Array): boolean {
  return json.length > BYTES_PER_VALUE * mostValuesHere;
}

/** Whether a body may have more than `most` values, as `countBodyValues` says. */
export function mayHaveMoreValues(body: Uint8Array, contentType: string | undefined, most: number): boolean {
  return body.length > BYTES_PER_VALUE * most && countBodyValues(body, contentType) > most;
}

/**
 * How many values a body has. Exact for JSON. In YAML and protobuf only a full parse tells values apart, so the bytes
 * that delimit them are counted, which may be more.
 */
export function countBodyValues(body: Uint8Array, contentType: string | undefined): number {
  if (contentType?.includes('protobuf') === true) return countTags(body);
  if (contentType?.includes('cbor') === true) return countCBORValues(body);
  if (contentType?.includes('yaml') === true) return countMarks(body);
  return countValues(body);
}

/** YAML: line ends, and what opens or separates values within a line. */
function countMarks(yaml: Uint8Array): number {
  let count = 0;
  for (const c of yaml) if (c === LINE_FEED || c === COMMA || c === OPEN_BRACKET || c === OPEN_BRACE) count++;
  return count;
}

/** Protobuf: bytes below the letters. A value's tag and length stand before it, and are small unless it is long. */
function countTags(protobuf: Uint8Array): number {
  let count = 0;
  for (const c of protobuf) if (c < SPACE) count++;
  return count;
}
