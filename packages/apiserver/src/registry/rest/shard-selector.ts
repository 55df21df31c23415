import { goQuote } from '@kubechain/apimachinery';
import { parseExpression, type Expr } from '@kubechain/cel';
import { recordedUID, type ObjectRecord, type ShardSelector } from '@kubechain/shared-storage';

/** A selector of a shard that cannot be read. */
export class ShardSelectorError extends Error {
  override readonly name = 'ShardSelectorError';
}

interface HashRange {
  readonly field: string;
  /** Inclusive and exclusive bound, as they were given. */
  readonly start: string;
  readonly end: string;
}

/** What a hash is of. */
const fields: ReadonlyMap<string, (record: ObjectRecord) => string> = new Map([
  ['object.metadata.uid', recordedUID],
  ['object.metadata.namespace', ({ attributes }: ObjectRecord) => attributes.namespace],
]);
/** The bound above all hashes. */
const above = '0x10000000000000000';
const digits = 16;
/** Kinds of expressions as cel-go counts them. */
const kinds: Readonly<Record<Expr['kind'], number>> = {
  call: 1,
  fold: 2,
  ident: 3,
  list: 4,
  const: 5,
  map: 6,
  select: 7,
  struct: 8,
};

/**
 * Reads `shardRange(object.metadata.uid, '0x…', '0x…') || …`: objects whose field, hashed by FNV-1a to 64 bits, is in
 * one of the ranges (apiserver/pkg/sharding/parser.go, 1.36).
 * @throws ShardSelectorError in the reference's words
 */
export function parseShardSelector(text: string): ShardSelector {
  const source = text.trim();
  if (source === '') throw refused('empty shard selector is not allowed; omit the parameter for unfiltered lists');
  const parsed = parseExpression(source);
  if (!('kind' in parsed)) throw refused(`CEL parse error: ${parsed[0]?.text ?? ''}`);
  const ranges = rangesOf(parsed);
  const field = ranges[0]?.field ?? '';
  const other = ranges.find((range) => range.field !== field);
  if (other !== undefined)
    throw refused(`all shard ranges must use the same field, got ${goQuote(field)} and ${goQuote(other.field)}`);
  const bounds = ranges.map(({ end, start }) => [BigInt(start), BigInt(end)] as const);
  const valueOf = fields.get(field)!;
  return {
    text: ranges.map(({ end, start }) => `shardRange(${field}, '${start}', '${end}')`).join(' || '),
    matches(record) {
      const hash = fnv1a64(valueOf(record));
      return bounds.some(([start, end]) => hash >= start && hash < end);
    },
  };
}

function refused(message: string): ShardSelectorError {
  return new ShardSelectorError(`invalid shard selector: ${message}`);
}

function rangesOf(expr: Expr): HashRange[] {
  if (expr.kind !== 'call')
    throw refused(`unexpected expression kind ${kinds[expr.kind]}; expected shardRange() call or || operator`);
  if (expr.name === '_||_') return expr.args.flatMap(rangesOf);
  if (expr.name !== 'shardRange')
    throw refused(`unsupported function ${goQuote(expr.name)}; only shardRange() and || are allowed`);
  const [of, from, to] = expr.args;
  if (of === undefined || from === undefined || to === undefined || expr.args.length > 3)
    throw refused(`shardRange() requires exactly 3 arguments, got ${expr.args.length}`);
  const field = pathOf(of);
  if (!fields.has(field))
    throw refused(`unsupported field path ${goQuote(field)}; supported: ${[...fields.keys()].join(', ')}`);
  const start = boundOf(from, 'hexStart');
  const end = boundOf(to, 'hexEnd');
  if (BigInt(start) >= BigInt(end)) throw refused(`shard range start ${start} must be less than end ${end}`);
  return [{ field, start, end }];
}

function pathOf(expr: Expr): string {
  if (expr.kind === 'ident') return expr.name;
  if (expr.kind === 'select') return `${pathOf(expr.operand)}.${expr.field}`;
  throw refused(
    'shardRange() first argument: expected field path (e.g. object.metadata.uid), got expression kind ' +
      String(kinds[expr.kind]),
  );
}

function boundOf(expr: Expr, name: string): string {
  if (expr.kind !== 'const')
    throw refused(`${name} must be a string literal (e.g. '0xff'), got expression kind ${kinds[expr.kind]}`);
  const { value } = expr;
  if (typeof value !== 'string') throw refused(`${name} must be a string literal, got ${goTypeOf(value)}`);
  if (!value.startsWith('0x')) throw refused(`${name} must have '0x' prefix, got ${goQuote(value)}`);
  const hex = value.slice(2);
  if (hex === '') throw refused(`${name}: hex value is required after '0x'`);
  if (hex.length > digits + 1)
    throw refused(`${name}: hex value too long (${hex.length} chars, max ${digits + 1}): ${goQuote(hex)}`);
  for (const char of hex)
    if (!'0123456789abcdef'.includes(char))
      throw refused(`${name}: invalid hex character ${goQuote(char)} in ${goQuote(value)}`);
  if (hex.length > digits && value !== above)
    throw refused(`${name}: 17-digit hex value must be '${above}' (2^64), got ${goQuote(value)}`);
  if (hex.length < digits)
    throw refused(
      `${name} must be a 0x-prefixed 16-digit hex value, got ${goQuote(value)} ` +
        `(did you mean ${goQuote(`0x${hex.padStart(digits, '0')}`)}?)`,
    );
  return value;
}

function goTypeOf(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return 'int64';
    case 'number':
      return 'float64';
    case 'boolean':
      return 'bool';
    default:
      return value === null ? 'structpb.NullValue' : '[]uint8';
  }
}

const offset = 0xcbf29ce484222325n;
const prime = 0x100000001b3n;

/** FNV-1a, 64 bits, of a text's UTF-8. */
function fnv1a64(text: string): bigint {
  let hash = offset;
  for (const byte of Buffer.from(text)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * prime);
  return hash;
}
