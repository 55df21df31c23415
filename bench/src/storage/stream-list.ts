import type { ListResult } from '@kubechain/shared-storage';
import type { Writable } from 'node:stream';

/** Bytes of one write. */
const CHUNK_BYTES = 64 * 1024;

/**
 * Two buffers that take turns: one is filled while the stream has the other, so that a list of any length makes no
 * garbage.
 */
class ChunkWriter {
  readonly #out: Writable;
  #filling = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #other = Buffer.allocUnsafeSlow(CHUNK_BYTES);
  #length = 0;
  #written: Promise<void> = Promise.resolve();
  total = 0;

  constructor(out: Writable) {
    this.#out = out;
  }

  hasRoomFor(bytes: number): boolean {
    return this.#length + bytes <= CHUNK_BYTES;
  }

  put(bytes: Uint8Array): void {
    this.#filling.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Hands over what was put; resolves when the buffer that is to be filled next is free. */
  async flush(): Promise<void> {
    const chunk = this.#filling.subarray(0, this.#length);
    await this.#written;
    this.#written = this.#write(chunk);
    [this.#filling, this.#other] = [this.#other, this.#filling];
    this.#length = 0;
  }

  /** An object that is larger than a chunk goes out as it is. */
  async putLarge(bytes: Uint8Array): Promise<void> {
    await this.flush();
    await this.#write(bytes);
  }

  async end(): Promise<void> {
    await this.flush();
    await this.#written;
  }

  #write(bytes: Uint8Array): Promise<void> {
    this.total += bytes.length;
    return new Promise((resolve, reject) => {
      this.#out.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }
}

const comma = Buffer.from(',');
const end = Buffer.from(']}');

/**
 * Writes a list's JSON as an endpoint does: the records' bytes, joined in pieces, never faster than the reader. Returns
 * the bytes written.
 */
export async function streamList(list: ListResult, out: Writable): Promise<number> {
  const writer = new ChunkWriter(out);
  writer.put(
    Buffer.from(
      `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"${list.resourceVersion}"},"items":[`,
    ),
  );
  const { items } = list;
  for (let i = 0; i < items.length; i++) {
    const { json } = items[i]!;
    if (!writer.hasRoomFor(json.length + 1)) await writer.flush();
    if (i > 0) writer.put(comma);
    if (json.length < CHUNK_BYTES) writer.put(json);
    else await writer.putLarge(json);
  }
  if (!writer.hasRoomFor(end.length)) await writer.flush();
  writer.put(end);
  await writer.end();
  return writer.total;
}
