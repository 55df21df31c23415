/**
 * Size of the buffers that small parts are gathered in: enough that a write costs little per item, small beside the
 * socket's.
 */
const batchBytes = 64 * 1024;
const comma = 0x2c;
const openBrace = 0x7b;

/**
 * Buffers that wait for their next use, so that lists do not keep the collector at work: 8 MiB at most, enough for a
 * dozen lists on their way at once, each with as many as a link takes before it waits.
 */
const maxFree = 128;
const free: Buffer[] = [];
/** By their memory, so that what is given back is known to be one of ours. */
const lent = new WeakMap<ArrayBufferLike, Buffer>();

/** A list of JSON before it is joined: `head`, the items with commas between them, `end`. */
export interface JSONList {
  /** All before the first item, its `[` included: 64 KiB at most. */
  readonly head: Uint8Array;
  readonly items: readonly Uint8Array[];
  /** Bytes that all items begin with and that are left out, but for the first, their `{`; 0: nothing is left out. */
  readonly skip: number;
  /** `]` and all after it. */
  readonly end: Uint8Array;
}

/** Bytes of a whole list. */
export function listSize({ end, head, items, skip }: JSONList): number {
  let size = head.length + end.length + Math.max(0, items.length - 1);
  const left = skip === 0 ? 0 : skip - 1;
  for (const item of items) size += item.length - left;
  return size;
}

/**
 * Gathers small parts into larger ones; large ones pass as they are. What is yielded may be given to `giveBack` once it
 * was written.
 */
export function* inBatches(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  let batch = take();
  let used = 0;
  for (const part of parts) {
    if (part.length > batchBytes - used) {
      if (used > 0) {
        yield batch.subarray(0, used);
        batch = take();
        used = 0;
      }
      if (part.length >= batchBytes) {
        yield part;
        continue;
      }
    }
    batch.set(part, used);
    used += part.length;
  }
  if (used > 0) yield batch.subarray(0, used);
}

/** The same of a list that is joined on the way: items are copied once, and no views are made of them. */
export function* listInBatches({ end, head, items, skip }: JSONList): Generator<Uint8Array> {
  let batch = take();
  batch.set(head);
  let used = head.length;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as Uint8Array;
    const length = item.length - skip;
    // With a comma and a brace.
    if (length + 2 > batchBytes - used && used > 0) {
      yield batch.subarray(0, used);
      batch = take();
      used = 0;
    }
    if (i > 0) batch[used++] = comma;
    if (skip > 0) batch[used++] = openBrace;
    if (length > batchBytes - used) {
      if (used > 0) {
        yield batch.subarray(0, used);
        batch = take();
        used = 0;
      }
      yield item.subarray(skip);
    } else used += Buffer.prototype.copy.call(item, batch, used, skip);
  }
  if (end.length > batchBytes - used) {
    yield batch.subarray(0, used);
    yield end;
    return;
  }
  batch.set(end, used);
  yield batch.subarray(0, used + end.length);
}

/** Takes back what `inBatches` yielded, once. Anything else is left alone; what never comes back is the collector's. */
export function giveBack(bytes: Uint8Array): void {
  const batch = lent.get(bytes.buffer);
  if (batch === undefined) return;
  lent.delete(bytes.buffer);
  if (free.length < maxFree) free.push(batch);
}

function take(): Buffer {
  // Not of Node's shared pool: the memory is this buffer's alone.
  const batch = free.pop() ?? Buffer.allocUnsafeSlow(batchBytes);
  lent.set(batch.buffer, batch);
  return batch;
}
