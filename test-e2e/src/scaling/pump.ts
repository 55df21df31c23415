import type { Schema } from '@kubechain/apimachinery';

/** What fills a place, made to about so many bytes of JSON. */
export interface Filling {
  readonly name: string;
  /** Differs from `distinct` in which items are equal, and in nothing else. */
  readonly repeats?: true;
  readonly make: (bytes: number) => unknown;
}

/** Pieces that texts are made of: what parsers look for, and what repeats without ending anything. */
const PIECES = [
  '1',
  '0',
  'a',
  '.',
  'a.',
  '-',
  '/',
  'a/',
  ':',
  ',',
  'a=b,',
  '%',
  '\\',
  '"',
  ' ',
  '\n',
  'a\n',
  'é',
  '😀',
];
const MORE_PIECES = [
  '[',
  '(',
  '{',
  '$(',
  "'",
  '<',
  '_',
  'A',
  '\t',
  '1.',
  '1h',
  '0x',
  '::',
  '../',
  '#',
  '-----',
  '\u2028',
];

/** The fillings of a place by its schema. */
export function fillingsOf(schema: Schema): Filling[] {
  switch (schema.kind) {
    case 'list':
      return [
        { name: 'distinct', make: (bytes) => items(bytes, (i) => sample(schema.items, i, 0)) },
        { name: 'equal', repeats: true, make: (bytes) => items(bytes, () => sample(schema.items, 0, 0)) },
        { name: 'pairs', repeats: true, make: (bytes) => items(bytes, (i) => sample(schema.items, i >> 1, 0)) },
        { name: 'empty', make: (bytes) => items(bytes, () => empty(schema.items)) },
      ];
    case 'map':
      return [
        { name: 'distinct', make: (bytes) => members(bytes, (i) => [`key-${i}`, sample(schema.values, i, 0)]) },
        { name: 'unicode', make: (bytes) => members(bytes, (i) => [`é😀/${i}`, sample(schema.values, i, 0)]) },
        { name: 'long', make: (bytes) => ({ ['a.'.repeat(bytes / 2)]: sample(schema.values, 0, 0) }) },
      ];
    case 'any':
      return [
        { name: 'members', make: (bytes) => members(bytes, (i) => [`key-${i}`, i]) },
        { name: 'list', make: (bytes) => items(bytes, (i) => i) },
        { name: 'nested', make: nested },
        { name: 'nested lists', make: nestedLists },
        { name: 'text', make: (bytes) => ({ text: 'a\\'.repeat(bytes / 3) }) },
      ];
    case 'scalar':
      return [...PIECES, ...MORE_PIECES].map((piece) => ({
        name: `text ${JSON.stringify(piece)}`,
        make: (bytes: number) => piece.repeat(Math.floor(bytes / (Buffer.byteLength(JSON.stringify(piece)) - 2))),
      }));
    default:
      return [];
  }
}

function items(bytes: number, make: (i: number) => unknown): unknown[] {
  const list: unknown[] = [];
  for (let size = 0; size < bytes;) {
    const item = make(list.length);
    size += JSON.stringify(item).length + 1;
    list.push(item);
  }
  return list;
}

function members(bytes: number, make: (i: number) => readonly [string, unknown]): Record<string, unknown> {
  const map: Record<string, unknown> = {};
  for (let size = 0, i = 0; size < bytes; i++) {
    const [key, value] = make(i);
    size += Buffer.byteLength(key) + JSON.stringify(value).length + 4;
    map[key] = value;
  }
  return map;
}

/** Far below the limits of nesting: what grows is their number. */
const DEPTH = 200;

function nested(bytes: number): unknown {
  return items(bytes, () => {
    let value: unknown = {};
    for (let depth = 0; depth < DEPTH; depth++) value = { a: value };
    return value;
  });
}

function nestedLists(bytes: number): unknown {
  return items(bytes, () => {
    let value: unknown = [];
    for (let depth = 0; depth < DEPTH; depth++) value = [value];
    return value;
  });
}

function empty(schema: Schema): unknown {
  switch (schema.kind) {
    case 'list':
      return [];
    case 'scalar':
      return schema.type === 'boolean' ? false : schema.type === 'int32' || schema.type === 'double' ? 0 : '';
    default:
      return {};
  }
}

/** Depth to which items have more than what identifies them. */
const SAMPLE_DEPTH = 2;

/** A small value of the schema; those of different numbers differ. */
function sample(schema: Schema, i: number, depth: number): unknown {
  switch (schema.kind) {
    case 'scalar':
      return scalar(schema.type, i, schema.enum);
    case 'list':
      return depth < SAMPLE_DEPTH ? [sample(schema.items, i, depth + 1)] : [];
    case 'map':
      return depth < SAMPLE_DEPTH ? { [`key-${i}`]: sample(schema.values, i, depth + 1) } : {};
    case 'any':
      return { a: i };
    case 'struct': {
      const struct: Record<string, unknown> = {};
      for (const { name, required, schema: of } of schema.fields.values())
        if (required || (of.kind === 'scalar' && depth === 0) || name === 'name' || name === 'key')
          if (depth < SAMPLE_DEPTH || of.kind === 'scalar') struct[name] = sample(of, i, depth + 1);
      return struct;
    }
    default:
      return schema satisfies never;
  }
}

function scalar(type: string, i: number, values: readonly string[] | undefined): unknown {
  if (values?.[0] !== undefined) return values[i % values.length];
  switch (type) {
    case 'boolean':
      return true;
    case 'int32':
    case 'int64':
    case 'integer':
    case 'double':
    case 'number':
      return i;
    case 'intOrString':
      return `port-${i}`;
    case 'bytes':
      return Buffer.from(`bytes-${i}`).toString('base64');
    case 'time':
      return '2024-01-01T00:00:00Z';
    case 'microTime':
      return '2024-01-01T00:00:00.000000Z';
    case 'duration':
      return `${i}s`;
    case 'quantity':
      return `${i}m`;
    default:
      return `name-${i}`;
  }
}
