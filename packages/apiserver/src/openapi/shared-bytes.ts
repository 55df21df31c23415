/**
 * Bytes that are made when somebody wants them: all who want them at the same time have the same ones, and nobody keeps
 * them when the last of them is through.
 */
export class SharedBytes {
  readonly #make: () => Promise<Uint8Array>;
  #making: Promise<Buffer> | undefined;
  /** Of the memory, which parts of the bytes keep as well. */
  #made: { readonly memory: WeakRef<ArrayBufferLike>; readonly offset: number; readonly length: number } | undefined;

  constructor(make: () => Promise<Uint8Array>) {
    this.#make = make;
  }

  /** They must not be changed. */
  get(): Buffer | Promise<Buffer> {
    const memory = this.#made?.memory.deref();
    if (memory !== undefined && this.#made !== undefined)
      return Buffer.from(memory, this.#made.offset, this.#made.length);
    return (this.#making ??= this.#begin().finally(() => {
      this.#making = undefined;
    }));
  }

  async #begin(): Promise<Buffer> {
    const { buffer, byteLength, byteOffset } = await this.#make();
    this.#made = { memory: new WeakRef(buffer), offset: byteOffset, length: byteLength };
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}
