import { StatusError, type KubeObject, type Status, parseJSON } from '@kubechain/apimachinery';

/** One line of a watch. An ERROR event is thrown as StatusError instead. */
export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: T }
  | { readonly type: 'BOOKMARK'; readonly object: KubeObject };

/**
 * The events of a watch response, one JSON text a line. Each piece of the body is scanned once; what is held is at most
 * one unfinished line.
 * @throws StatusError for an ERROR event; whatever the body throws
 */
export async function* watchEvents<T>(body: AsyncIterable<Uint8Array>): AsyncGenerator<WatchEvent<T>> {
  let rest: Uint8Array[] = [];
  for await (const chunk of body) {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end);
      start = end + 1;
      const line =
        rest.length === 0 ? Buffer.from(piece.buffer, piece.byteOffset, piece.length) : Buffer.concat([...rest, piece]);
      rest = [];
      if (line.length > 0) yield eventOf<T>(line.toString('utf8'));
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
}

const NEWLINE = 10;

function eventOf<T>(line: string): WatchEvent<T> {
  const event = parseJSON(line) as WatchEvent<T> | { readonly type: 'ERROR'; readonly object: Status };
  if (event.type === 'ERROR') throw new StatusError(event.object as ConstructorParameters<typeof StatusError>[0]);
  return event;
}
