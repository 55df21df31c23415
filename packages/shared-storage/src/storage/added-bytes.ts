import { limits } from '@kubechain/apimachinery';
import { StorageError } from './errors.ts';

/**
 * What reading adds to the objects of one list: the defaults of a definition, which somebody may have made large after
 * thousands of small objects were stored. Each list has a count of its own, so that none outlives what it counts.
 */
export class AddedBytes {
  #bytes = 0;

  /** JSON, of all that was added so far. */
  get bytes(): number {
    return this.#bytes;
  }

  /** `key`: what is listed. @throws StorageError `Internal` where it is more than `defaultedBytes` with these */
  add(bytes: number, key: string): void {
    this.#bytes += bytes;
    if (this.#bytes > limits.defaultedBytes.value)
      throw new StorageError('Internal', 'the defaults of the definition add too much to its objects', { key });
  }
}
