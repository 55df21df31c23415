import { CBORWriter, parseJSONValue } from '@kubechain/apimachinery';
import type { Schema } from '@kubechain/apimachinery';
import type { Turns } from '../../../request/turns.ts';
import { ListReader } from './list-reader.ts';

/** What is gathered before it is sent. */
const BATCH_BYTES = 64 * 1024;

/**
 * A list as CBOR, made of its JSON item by item: the whole would be many times as large in memory. The JSON is read
 * twice, for how many items there are stands before the first one.
 */
export async function* cborList(
  json: () => Iterable<Uint8Array>,
  { itemSchema, turns }: { readonly itemSchema: Schema | undefined; readonly turns: Turns },
): AsyncGenerator<Buffer> {
  const counted = new ListReader();
  let count = 0;
  for (const piece of json()) {
    for (const _ of counted.items(piece)) count++;
    const turn = turns.nextAfter(piece.length);
    // oxlint-disable-next-line no-await-in-loop -- one after another, so that others are served
    if (turn !== undefined) await turn;
  }
  const { member } = counted;
  const list = parseJSONValue(counted.frame()).value as Readonly<Record<string, unknown>>;
  const names = Object.keys(list).filter((name) => name !== member);
  let writer = new CBORWriter();
  writer.prefix();
  writer.map(names.length + (member === undefined ? 0 : 1));
  for (const name of names) {
    writer.text(name);
    writer.value(list[name]);
  }
  if (member !== undefined) {
    writer.text(member);
    writer.list(count);
    const reader = new ListReader();
    for (const piece of json())
      for (const item of reader.items(piece)) {
        writer.value(parseJSONValue(item).value, itemSchema);
        if (writer.length >= BATCH_BYTES) {
          yield writer.finish();
          writer = new CBORWriter();
        }
        const turn = turns.nextAfter(item.length);
        // oxlint-disable-next-line no-await-in-loop -- one after another, so that others are served
        if (turn !== undefined) await turn;
      }
  }
  yield writer.finish();
}
