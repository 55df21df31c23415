import type { Values } from './values.ts';

/** A field of a message as it is written; `raw` stands for all of it. */
interface Field {
  number: number;
  wire: number;
  /** What follows the tag, without a length. */
  value: Uint8Array;
  /** Where the value reads as a message. */
  children: Field[] | undefined;
  /** What is written in place of the value's length. */
  length?: Uint8Array;
  raw?: Uint8Array;
}

const MAGIC = 4;
const MAX_NUMBER = 200;
const LENGTH_DELIMITED = 2;
const TEXTS: readonly Uint8Array[] = [
  Buffer.from('ff', 'hex'),
  Buffer.from('61c3', 'hex'),
  Buffer.from('eda080', 'hex'),
  Buffer.from('00', 'hex'),
  Buffer.from(''),
  Buffer.from('x'),
  Buffer.from('\u2028<>&'),
];
const VARINTS = [
  0n,
  1n,
  2n,
  127n,
  128n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n,
  2n ** 63n - 1n,
  2n ** 63n,
  2n ** 64n - 1n,
];
const NUMBERS = [0, 1, 2, 3, 15, 16, 99, 100, 999, 1000, 19_000, 2 ** 29 - 1];

/** An object in protobuf with one thing or two that hardly any encoder writes, or none. */
export function damageProtobuf(bytes: Uint8Array, values: Values): Uint8Array {
  const fields = fieldsOf(bytes.subarray(MAGIC));
  const way = values.share();
  if (fields === undefined || way < 0.02) return Buffer.concat([bytes.subarray(0, values.below(bytes.length + 1))]);
  if (way < 0.03)
    return Buffer.concat([Buffer.from(values.pick(['k8s', 'k8s\u0001', '', 'K8s\0'])), bytes.subarray(MAGIC)]);
  for (let count = values.chance(0.2) ? 2 : 1; count > 0; count--) damageOnce(fields, values);
  return Buffer.concat([bytes.subarray(0, MAGIC), encode(fields)]);
}

function damageOnce(fields: Field[], values: Values): void {
  const messages = messagesIn(fields);
  // The envelope is one of very many.
  const message = values.pick(values.chance(0.9) && messages.length > 2 ? messages.slice(2) : messages);
  if (message.length === 0) {
    message.push(unknown(values));
    return;
  }
  const at = values.below(message.length);
  const field = message[at] as Field;
  const way = values.share();
  if (way < 0.06) message.splice(at, 1);
  else if (way < 0.16) message.splice(values.below(message.length + 1), 0, structuredClone(field));
  else if (way < 0.24) message.push(...structuredClone(values.pick(messages)));
  else if (way < 0.36) field.wire = values.pick([0, 1, 2, 3, 4, 5, 6, 7]);
  else if (way < 0.48) message.splice(values.below(message.length + 1), 0, unknown(values));
  else if (way < 0.54) field.number = values.pick(NUMBERS);
  else if (way < 0.62) field.raw = Buffer.concat([tag(field.number, 0), oddVarint(values)]);
  else if (way < 0.7) field.length = oddLength(encodedValue(field).length, values);
  else if (way < 0.82) Object.assign(field, { wire: LENGTH_DELIMITED, value: values.pick(TEXTS), children: undefined });
  else if (way < 0.88) {
    const written = encodeField(field);
    field.raw = written.subarray(0, values.below(written.length));
  } else if (way < 0.93) field.raw = packed(field, values);
  else if (way < 0.96) message.reverse();
  else field.raw = Buffer.concat([tagOf(values), encodedValue(field)]);
}

/** Groups, whole, open or only closed, and fields of numbers that nobody has. */
function unknown(values: Values): Field {
  const number = values.pick(NUMBERS);
  const inside = values.pick([Buffer.from(''), Buffer.concat([tag(1, 0), varint(5n)]), Buffer.from('ff', 'hex')]);
  const raw = values.pick([
    Buffer.concat([tag(number, 3), inside, tag(number, 4)]),
    Buffer.concat([tag(number, 3), inside]),
    Buffer.concat([tag(number, 3), tag(number + 1, 3), tag(number, 4), tag(number, 4)]),
    tag(number, 4),
    tag(number, 6),
    Buffer.concat([tag(number, 0), varint(values.pick(VARINTS))]),
    Buffer.concat([tag(number, 2), varint(1n), Buffer.from('a')]),
    Buffer.concat([tag(number, 1), Buffer.alloc(8)]),
    Buffer.concat([tag(number, 5), Buffer.alloc(4)]),
    Buffer.concat([tag(number, 1), Buffer.alloc(4)]),
  ]);
  return { number, wire: 0, value: Buffer.from(''), children: undefined, raw };
}

function oddVarint(values: Values): Uint8Array {
  return values.pick([
    varint(values.pick(VARINTS)),
    Buffer.from('8080808080808080808001', 'hex'),
    Buffer.from('ffffffffffffffffff7f', 'hex'),
    Buffer.from('818000', 'hex'),
    Buffer.from('80', 'hex'),
  ]);
}

function oddLength(length: number, values: Values): Uint8Array {
  return values.pick([
    varint(BigInt(length + 1)),
    varint(BigInt(Math.max(0, length - 1))),
    varint(0x7fff_ffffn),
    varint(2n ** 63n - 1n),
    varint(2n ** 63n),
    varint(2n ** 64n - 1n),
    Buffer.concat([Buffer.of((length & 0x7f) | 0x80), varint(BigInt(length >> 7) | 0n), Buffer.from('')]),
    Buffer.from('80808080808080808080808001', 'hex'),
  ]);
}

/** Numbers as one field of several, or several of one. */
function packed(field: Field, values: Values): Uint8Array {
  const several = Buffer.concat([varint(values.pick(VARINTS)), varint(values.pick(VARINTS))]);
  return values.chance(0.5)
    ? Buffer.concat([tag(field.number, 2), varint(BigInt(several.length)), several])
    : Buffer.concat([tag(field.number, 0), varint(1n), tag(field.number, 0), varint(values.pick(VARINTS))]);
}

function tagOf(values: Values): Uint8Array {
  return values.chance(0.5) ? tag(values.pick(NUMBERS), values.below(8)) : oddVarint(values);
}

function messagesIn(fields: Field[]): Field[][] {
  const found = [fields];
  for (const { children } of fields)
    if (children !== undefined) for (const one of messagesIn(children)) found.push(one);
  return found;
}

/** Undefined where bytes are no message. */
function fieldsOf(bytes: Uint8Array): Field[] | undefined {
  const fields: Field[] = [];
  let at = 0;
  const number = (): bigint | undefined => {
    let value = 0n;
    for (let shift = 0n; at < bytes.length && shift < 70n; shift += 7n) {
      const byte = bytes[at++] as number;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    return undefined;
  };
  while (at < bytes.length) {
    const head = number();
    if (head === undefined || head >> 3n === 0n || head >> 3n > MAX_NUMBER) return undefined;
    const wire = Number(head & 7n);
    let start = at;
    if (wire === 0) {
      if (number() === undefined) return undefined;
    } else if (wire === 1 || wire === 5) at += wire === 1 ? 8 : 4;
    else if (wire === LENGTH_DELIMITED) {
      const length = number();
      if (length === undefined) return undefined;
      start = at;
      at += Number(length);
    } else return undefined;
    if (at > bytes.length) return undefined;
    const value = bytes.subarray(start, at);
    const children = wire === LENGTH_DELIMITED && value.length > 0 ? fieldsOf(value) : undefined;
    fields.push({ number: Number(head >> 3n), wire, value, children });
  }
  return fields;
}

function encode(fields: readonly Field[]): Uint8Array {
  return Buffer.concat(fields.map(encodeField));
}

function encodedValue({ children, value }: Field): Uint8Array {
  return children === undefined ? value : encode(children);
}

function encodeField(field: Field): Uint8Array {
  if (field.raw !== undefined) return field.raw;
  const value = encodedValue(field);
  const length = field.wire === LENGTH_DELIMITED ? (field.length ?? varint(BigInt(value.length))) : Buffer.from('');
  return Buffer.concat([tag(field.number, field.wire), length, value]);
}

function tag(number: number, wire: number): Uint8Array {
  return varint((BigInt(number) << 3n) | BigInt(wire));
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left > 0x7fn; left >>= 7n) bytes.push(Number(left & 0x7fn) | 0x80);
  bytes.push(Number(left));
  return Uint8Array.from(bytes);
}
