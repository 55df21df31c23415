import { TransformError } from './transform-error.ts';
import type { Untransformed, ValueTransformer } from './transformer.ts';

/** A transformer and what the values begin with that it wrote. */
export interface PrefixedTransformer {
  /** ASCII; '' matches every value. */
  readonly prefix: string;
  readonly transformer: ValueTransformer;
}

/**
 * Reads with the first transformer whose prefix matches and that succeeds; writes with the first of all
 * (value.NewPrefixTransformers). What another than the first has written is stale, so that keys can be rotated by
 * putting the new one in front.
 */
export class PrefixTransformers implements ValueTransformer {
  readonly #transformers: readonly { readonly prefix: Buffer; readonly transformer: ValueTransformer }[];
  readonly #noMatch: string;

  /** @param noMatch error text when no prefix matches */
  constructor(transformers: readonly PrefixedTransformer[], noMatch: string) {
    this.#transformers = transformers.map(({ prefix, transformer }) => ({ prefix: Buffer.from(prefix, 'latin1'), transformer }));
    this.#noMatch = noMatch;
  }

  fromStorage(value: Uint8Array, key: string): Untransformed | Promise<Untransformed> {
    return this.#read(value, key, 0, []);
  }

  #read(value: Uint8Array, key: string, first: number, failures: string[]): Untransformed | Promise<Untransformed> {
    for (let i = first; i < this.#transformers.length; i++) {
      const candidate = this.#transformers[i];
      if (candidate === undefined || !startsWith(value, candidate.prefix)) continue;
      const failed = (error: unknown): void => {
        // Without a prefix a transformer is only tried: that it fails says nothing.
        if (candidate.prefix.length > 0) failures.push(error instanceof Error ? error.message : String(error));
      };
      try {
        const result = candidate.transformer.fromStorage(value.subarray(candidate.prefix.length), key);
        if (!(result instanceof Promise)) return i === 0 ? result : { value: result.value, stale: true };
        return result.then(read => i === 0 ? read : { value: read.value, stale: true }, (error: unknown) => {
          failed(error);
          return this.#read(value, key, i + 1, failures);
        });
      } catch (error) {
        failed(error);
      }
    }
    throw new TransformError(failures.length === 0 ? this.#noMatch : failures.length === 1 ? failures[0] ?? '' : `[${failures.join(', ')}]`);
  }

  toStorage(value: Uint8Array, key: string): Uint8Array | Promise<Uint8Array> {
    const [writer] = this.#transformers;
    if (writer === undefined) throw new TransformError(this.#noMatch);
    const result = writer.transformer.toStorage(value, key);
    const { prefix } = writer;
    if (prefix.length === 0) return result;
    return result instanceof Promise ? result.then(written => Buffer.concat([prefix, written])) : Buffer.concat([prefix, result]);
  }
}

function startsWith(value: Uint8Array, prefix: Buffer): boolean {
  return value.length >= prefix.length && prefix.compare(value, 0, prefix.length) === 0;
}
