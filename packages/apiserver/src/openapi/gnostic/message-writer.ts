import { WireWriter } from '@kubechain/apimachinery/wire';

/**
 * Writes gnostic's messages from their last field to their first, into one buffer. Values of other types than the
 * field's, and zero values, are left out.
 */
export class MessageWriter {
  readonly #wire = new WireWriter(64 * 1024);

  string(field: number, value: unknown): void {
    if (typeof value === 'string' && value !== '') this.explicitString(field, value);
  }

  /** A member of a oneof: the empty string is written too. */
  explicitString(field: number, value: string): void {
    this.#wire.textField((field << 3) | 2, value);
  }

  strings(field: number, values: unknown): void {
    if (Array.isArray(values)) for (const value of values.toReversed()) this.explicitString(field, String(value));
  }

  boolean(field: number, value: unknown): void {
    if (value === true) this.explicitBoolean(field, true);
  }

  /** A member of a oneof: false is written too. */
  explicitBoolean(field: number, value: boolean): void {
    this.#wire.integerField(field << 3, value ? 1 : 0);
  }

  integer(field: number, value: unknown): void {
    if (typeof value === 'number' && value !== 0) this.#wire.integerField(field << 3, Math.trunc(value));
  }

  double(field: number, value: unknown): void {
    if (typeof value === 'number' && value !== 0) this.explicitDouble(field, value);
  }

  /** A member of a oneof: zero is written too. */
  explicitDouble(field: number, value: number): void {
    this.#wire.doubleField((field << 3) | 1, value);
  }

  /** A nested message; written even when it is empty. */
  message(field: number, write: (writer: MessageWriter) => void): void {
    const before = this.#wire.length;
    write(this);
    this.#wire.close((field << 3) | 2, before);
  }

  /** What was written, in memory of its own size. */
  finish(): Buffer {
    return Buffer.from(this.#wire.finish());
  }
}
