import { messageOf } from '@kubechain/apimachinery';
import { TransformError } from './transform-error.ts';
import type { TransformationRecorder, TransformationType } from './encryption-metrics.ts';
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
  readonly #transformers: readonly {
    readonly name: string;
    readonly prefix: Buffer;
    readonly transformer: ValueTransformer;
  }[];
  readonly #noMatch: string;
  readonly #recorder: TransformationRecorder | undefined;

  /** @param noMatch error text when no prefix matches @param recorder told of every transformation, under its prefix */
  constructor(transformers: readonly PrefixedTransformer[], noMatch: string, recorder?: TransformationRecorder) {
    this.#transformers = transformers.map(({ prefix, transformer }) => ({
      name: prefix,
      prefix: Buffer.from(prefix, 'latin1'),
      transformer,
    }));
    this.#noMatch = noMatch;
    this.#recorder = recorder;
  }

  fromStorage(value: Uint8Array, key: string): Untransformed | Promise<Untransformed> {
    return this.#read({ value, key, startedMs: performance.now(), failures: [] }, 0);
  }

  #read(read: Read, first: number): Untransformed | Promise<Untransformed> {
    const { failures, key, startedMs, value } = read;
    for (let i = first; i < this.#transformers.length; i++) {
      const candidate = this.#transformers[i];
      if (candidate === undefined || !startsWith(value, candidate.prefix)) continue;
      const failed = (error: unknown): void => {
        // Without a prefix a transformer is only tried: that it fails says nothing.
        if (candidate.prefix.length === 0) return;
        failures.push(error);
        this.#record('from_storage', candidate.name, startedMs, error);
      };
      const succeeded = (result: Untransformed): Untransformed => {
        this.#record('from_storage', candidate.name === '' ? 'identity' : candidate.name, startedMs, undefined);
        return i === 0 ? result : { value: result.value, stale: true };
      };
      try {
        const result = candidate.transformer.fromStorage(value.subarray(candidate.prefix.length), key);
        if (!(result instanceof Promise)) return succeeded(result);
        return result.then(succeeded, (error: unknown) => {
          failed(error);
          return this.#read(read, i + 1);
        });
      } catch (error) {
        failed(error);
      }
    }
    if (failures.length > 0) throw new TransformError(textOf(failures), { cause: failures[0] });
    const error = new TransformError(this.#noMatch);
    this.#record('from_storage', 'unknown', startedMs, error);
    throw error;
  }

  #record(type: TransformationType, prefix: string, startedMs: number, error: unknown): void {
    this.#recorder?.record(type, prefix, { seconds: (performance.now() - startedMs) / 1000, error });
  }

  toStorage(value: Uint8Array, key: string): Uint8Array | Promise<Uint8Array> {
    const [writer] = this.#transformers;
    if (writer === undefined) throw new TransformError(this.#noMatch);
    const startedMs = performance.now();
    const { name, prefix } = writer;
    const succeeded = (written: Uint8Array): Uint8Array => {
      this.#record('to_storage', name, startedMs, undefined);
      return prefix.length === 0 ? written : Buffer.concat([prefix, written]);
    };
    const failed = (error: unknown): never => {
      this.#record('to_storage', name, startedMs, error);
      throw error;
    };
    try {
      const result = writer.transformer.toStorage(value, key);
      return result instanceof Promise ? result.then(succeeded, failed) : succeeded(result);
    } catch (error) {
      return failed(error);
    }
  }
}

/** One value on its way through the transformers. */
interface Read {
  readonly value: Uint8Array;
  readonly key: string;
  readonly startedMs: number;
  readonly failures: unknown[];
}

function textOf(failures: readonly unknown[]): string {
  const texts = failures.map((error) => messageOf(error));
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
}

function startsWith(value: Uint8Array, prefix: Buffer): boolean {
  return value.length >= prefix.length && prefix.compare(value, 0, prefix.length) === 0;
}
