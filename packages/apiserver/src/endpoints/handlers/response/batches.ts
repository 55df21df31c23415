/**
 * Size of the buffers that small parts are gathered in: enough that a write costs little per item, small beside the
 * socket's.
 */
const batchBytes = 64 * 1024;

/**
 * Buffers that wait for their next use, so that lists do not keep the collector at work: 4 MiB at most, enough for 32
 * lists on their way at once with two buffers each.
 */
const maxFree = 64;
const free: Buffer[] = [];
/** By their memory, so that what is given back is known to be one of ours. */
const lent = new WeakMap<ArrayBufferLike, Buffer>();

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
