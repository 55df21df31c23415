import { encodeYAML, parseJSONValue } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Turns } from '../../../request/turns.ts';
import { ListReader } from './list-reader.ts';

/**
 * A list, or a Table, as YAML, made of its JSON item by item: the whole would be many times as large in memory. Each
 * piece of the JSON is done with when the next one is asked for.
 * @throws StatusError what `encodeYAML` throws
 */
export async function* yamlList(json: Iterable<Uint8Array>, turns: Turns): AsyncGenerator<Buffer> {
  const pause = (): Promise<void> | undefined => turns.next();
  const reader = new ListReader();
  let begun = false;
  for (const piece of json)
    for (const item of reader.items(piece)) {
      if (!begun) {
        // Members that stand before the items in YAML do so in JSON.
        const before = membersOf(reader, (name, items) => name < items);
        if (Object.keys(before).length > 0) yield await encodeYAML(before);
        yield Buffer.from(`${reader.member}:\n`);
        begun = true;
      }
      // In a mapping a sequence is not indented.
      yield await encodeYAML([parseJSONValue(item).value] as unknown as KubeObject, undefined, pause);
      const turn = turns.nextAfter(item.length);
      // oxlint-disable-next-line no-await-in-loop -- one after another, so that others are served
      if (turn !== undefined) await turn;
    }
  const after = membersOf(reader, (name, items) => !begun || name > items);
  if (!begun || Object.keys(after).length > 0) yield encodeYAML(after, undefined, pause);
}

function membersOf(reader: ListReader, wanted: (name: string, items: string) => boolean): KubeObject {
  const list = parseJSONValue(reader.frame()).value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(list).filter(([name]) => wanted(name, reader.member ?? '')),
  ) as unknown as KubeObject;
}
