import { WireReader, WireWriter, isWireError } from '@kubechain/apimachinery/wire';
import type { FuzzRandom } from '../fuzz-random.ts';
import { FuzzFailure, type FuzzTarget } from '../fuzz-target.ts';

/** One field: its tag and what it holds. */
interface Field {
  readonly tag: number;
  readonly value: bigint | number | string | readonly Field[];
}

/** The wire format of protobuf: what is written is read again, and bytes that are none are refused as such. */
export const wire: FuzzTarget = {
  name: 'wire',
  about: 'protobuf bytes: fields come back as they were written; any others are read to their end or refused',
  shareOfCI: 10_000,
  open: () => ({
    attempt: (random, input) => {
      const fields = anyFields(random, 0);
      const writer = new WireWriter(random.below(200));
      write(writer, fields);
      const bytes = writer.finish();
      input(bytes);
      const read = readAs(fields, new WireReader(bytes));
      if (shown(read) !== shown(fields))
        throw new FuzzFailure(`reads ${shown(read)} where ${shown(fields)} is written`);
      const mistaken = Buffer.from(random.mutate(random.chance(3) ? random.bytes(64) : bytes));
      input(mistaken);
      for (const reading of [walk, skipAll])
        try {
          const reader = new WireReader(mistaken);
          reading(reader, random);
          if (!reader.done) throw new FuzzFailure('is not read to its end');
        } catch (error) {
          if (!isWireError(error)) throw error;
        }
    },
  }),
};

function anyFields(random: FuzzRandom, depth: number): Field[] {
  return random.list(5, () => {
    const number = random.pick([1, 2, 15, 16, 2047, 2 ** 29 - 1]) * 8;
    switch (random.below(depth > 6 ? 4 : 5)) {
      case 0:
        return { tag: number, value: BigInt(random.integer()) };
      case 1:
        return { tag: number, value: BigInt.asIntN(64, BigInt(random.integer()) ** 3n * 977n) };
      case 2:
        return { tag: number + 1, value: random.pick([0, -0.5, 1e300, -Infinity, 5e-324]) };
      case 3:
        return { tag: number + 2, value: random.text(['a', 'name', 'é', '€', '😀'], 9).toWellFormed() };
      default:
        return { tag: number + 2, value: anyFields(random, depth + 1) };
    }
  });
}

function write(writer: WireWriter, fields: readonly Field[]): void {
  for (const { tag, value } of fields.toReversed()) {
    if (typeof value === 'bigint') writer.integerField(tag, value);
    else if (typeof value === 'number') writer.doubleField(tag, value);
    else if (typeof value === 'string') writer.textField(tag, value);
    else {
      const before = writer.length;
      write(writer, value);
      writer.close(tag, before);
    }
  }
}

function readAs(fields: readonly Field[], reader: WireReader): Field[] {
  const read: Field[] = [];
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const as = fields[read.length]?.value;
    if (typeof as === 'bigint') read.push({ tag, value: reader.bigint64() });
    else if (typeof as === 'number') read.push({ tag, value: reader.double() });
    else if (typeof as === 'string') read.push({ tag, value: reader.text() });
    else {
      const outer = reader.enter();
      read.push({ tag, value: readAs(as ?? [], reader) });
      reader.leave(outer);
    }
  }
  return read;
}

/** Reads each field as something that its wire type allows. */
function walk(reader: WireReader, random: FuzzRandom): void {
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) {
    const type = tag & 7;
    if (type === 0) random.pick([() => reader.int64(), () => reader.bigint64(), () => reader.int32()])();
    else if (type === 1) reader.double();
    else if (type !== 2) reader.skip(tag);
    else if (random.chance(3)) random.pick([() => reader.text(), () => reader.latin1(), () => reader.bytes()])();
    else {
      const outer = reader.enter();
      walk(reader, random);
      reader.leave(outer);
    }
  }
}

function skipAll(reader: WireReader): void {
  for (let tag = reader.tag(); tag !== 0; tag = reader.tag()) reader.skip(tag);
}

function shown(fields: readonly Field[]): string {
  return JSON.stringify(fields, (_, value: unknown) => (typeof value === 'bigint' ? `${value}n` : value));
}
