import {
  goFieldName,
  goTypeOf,
  Quantity,
  type Embed,
  type Field,
  type Schema,
  type StructSchema,
} from '@kubechain/apimachinery';

type Struct = Readonly<Record<string, unknown>>;

/** How Go prints a nil slice, map or pointer. */
const nil = '<nil>';
/** A time that was never set. */
const noTime = '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}';
const nanoScale = 9;
/** Bits of a word of Go's big numbers on the platforms that Kubernetes runs on. */
const wordBits = 64n;

/**
 * A value as dump.ForHash of k8s.io/utils prints the Go object that was read from it: all fields, with their types,
 * pointers followed, maps by their keys, what is empty as nil (that is how protobuf brings it). Times other than none
 * print the machine's time zone there; here they print as none.
 */
export function goDump(schema: Schema, value: unknown): string {
  return `(${goTypeOf(schema)})${print(schema, value)}`;
}

function print(schema: Schema, value: unknown): string {
  switch (schema.kind) {
    case 'struct':
      return printStruct(schema, isStruct(value) ? value : {});
    case 'list':
      return Array.isArray(value) && value.length > 0
        ? `[${value.map((item) => print(schema.items, item)).join(' ')}]`
        : nil;
    case 'map':
      return isStruct(value) && Object.keys(value).length > 0
        ? `map[${entriesOf(value)
            .map(([key, item]) => `${key}:${print(schema.values, item)}`)
            .join(' ')}]`
        : nil;
    case 'scalar':
      return printScalar(schema.type, value);
    case 'any':
      return value === undefined ? nil : JSON.stringify(value);
    default:
      return schema satisfies never;
  }
}

function printStruct(schema: StructSchema, value: Struct): string {
  const parts: string[] = [];
  const opened = new Set<Embed>();
  for (const field of schema.fields.values()) {
    if (field.embedded === undefined) {
      parts.push(printField(schema.goType ?? '', field, value[field.name]));
      continue;
    }
    // An embedded struct prints as one field, where its first one stands.
    if (opened.has(field.embedded)) continue;
    opened.add(field.embedded);
    parts.push(`${field.embedded.name}:${goDump(field.embedded.schema, value)}`);
  }
  return `{${parts.join(' ')}}`;
}

function printField(owner: string, { name, pointer, schema }: Field, value: unknown): string {
  const type = `${pointer === true ? '*' : ''}${goTypeOf(schema)}`;
  const isNil = pointer === true && (value === undefined || value === null);
  return `${goFieldName(owner, name)}:(${type})${isNil ? nil : print(schema, value)}`;
}

function printScalar(type: (Schema & { kind: 'scalar' })['type'], value: unknown): string {
  switch (type) {
    case 'string':
    case 'bytes':
    case 'duration':
      return typeof value === 'string' ? value : '';
    case 'boolean':
      return String(value === true);
    case 'time':
    case 'microTime':
      return noTime;
    case 'quantity':
      return printQuantity(typeof value === 'string' || typeof value === 'number' ? String(value) : undefined);
    case 'intOrString':
      return typeof value === 'string'
        ? `{Type:(intstr.Type)1 IntVal:(int32)0 StrVal:(string)${value}}`
        : `{Type:(intstr.Type)0 IntVal:(int32)${printNumber(value)} StrVal:(string)}`;
    case 'int32':
    case 'int64':
    case 'integer':
    case 'double':
    case 'number':
      return printNumber(value);
    default:
      return type satisfies never;
  }
}

function printNumber(value: unknown): string {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '0';
}

function printQuantity(text: string | undefined): string {
  const quantity = text === undefined ? undefined : Quantity.parse(text);
  const { format = '', isDecimal = false, keptText = '', scale = 0, value = 0n } = quantity ?? {};
  const [i, iScale] = isDecimal ? [0n, 0] : [value, scale];
  const dec = isDecimal ? printDecimal(value * 10n ** BigInt(scale + nanoScale)) : nil;
  return (
    `{i:(resource.int64Amount){value:(int64)${i} scale:(resource.Scale)${iScale}} ` +
    `d:(resource.infDecAmount){Dec:(*inf.Dec)${dec}} s:(string)${keptText} Format:(resource.Format)${format}}`
  );
}

/** A number of nano units, its words from the least significant one on. */
function printDecimal(nanos: bigint): string {
  const words: bigint[] = [];
  for (let rest = nanos < 0n ? -nanos : nanos; rest > 0n; rest >>= wordBits) words.push(rest & ((1n << wordBits) - 1n));
  const unscaled = `{neg:(bool)${nanos < 0n} abs:(big.nat)[${words.join(' ')}]}`;
  return `{unscaled:(big.Int)${unscaled} scale:(inf.Scale)${nanoScale}}`;
}

function entriesOf(value: Struct): readonly (readonly [string, unknown])[] {
  return Object.entries(value).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function isStruct(value: unknown): value is Struct {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
