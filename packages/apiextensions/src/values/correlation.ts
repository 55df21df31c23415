import { equalJSON, isPlainObject } from '@kubechain/apimachinery';
import type { JSONValue } from '@kubechain/apimachinery';
import type { ValueSchema } from '../schema/value-schema.ts';

/** How long comparing has taken; that of parts counts once more in that of what they are part of, as in the reference. */
export interface SpentTime {
  seconds: number;
}

/**
 * A value of an update together with the value it had before, where the schema can tell which one that was:
 * properties and map entries by name, items of `map` lists by key (apiserver/cel/common CorrelatedObject, 1.36).
 * Lives for one update.
 */
export class Correlation {
  readonly value: unknown;
  readonly old: unknown;
  readonly schema: ValueSchema;
  readonly #spent: SpentTime | undefined;
  #equal: boolean | undefined;
  #oldItems: ReadonlyMap<string, unknown> | undefined;
  readonly #children = new Map<string | number, Correlation>();

  /** @param spent told how long comparing takes */
  constructor(value: unknown, old: unknown, schema: ValueSchema, spent?: SpentTime) {
    this.value = value;
    this.old = old;
    this.schema = schema;
    this.#spent = spent;
  }

  /** The entry under a key, if it was there before. */
  key(key: string): Correlation | undefined {
    const known = this.#children.get(key);
    if (known !== undefined) return known;
    if (
      !isPlainObject(this.value) ||
      !isPlainObject(this.old) ||
      !Object.hasOwn(this.value, key) ||
      !Object.hasOwn(this.old, key)
    )
      return undefined;
    const schema = this.schema.under(key);
    if (schema === undefined) return undefined;
    const child = new Correlation(this.value[key], this.old[key], schema, this.#spent);
    this.#children.set(key, child);
    return child;
  }

  /** The item at a new index, if the list is a `map` and one of that key was there before. */
  index(index: number): Correlation | undefined {
    const known = this.#children.get(index);
    if (known !== undefined) return known;
    const { items, listType } = this.schema;
    if (
      listType !== 'map' ||
      items === undefined ||
      !Array.isArray(this.value) ||
      !Array.isArray(this.old) ||
      index >= this.value.length
    )
      return undefined;
    this.#oldItems ??= this.#indexed(this.old);
    const value: unknown = this.value[index];
    const old = isPlainObject(value) ? this.#oldItems.get(this.#keyOf(value)) : undefined;
    if (old === undefined) return undefined;
    const child = new Correlation(value, old, items, this.#spent);
    this.#children.set(index, child);
    return child;
  }

  /** Whether nothing changed; entries that the schema cannot correlate count as changed. */
  get unchanged(): boolean {
    if (this.#equal !== undefined) return this.#equal;
    if (this.#spent === undefined) return (this.#equal = this.#compare());
    const startedAt = performance.now();
    this.#equal = this.#compare();
    this.#spent.seconds += (performance.now() - startedAt) / 1_000;
    return this.#equal;
  }

  #compare(): boolean {
    const { value, old } = this;
    if (value === null || old === null || value === undefined || old === undefined)
      return (value ?? null) === (old ?? null);
    if (Array.isArray(value)) {
      if (!Array.isArray(old) || value.length !== old.length) return false;
      if (this.schema.listType !== 'map') return equalJSON(value as JSONValue, old as JSONValue);
      return value.every((_, i) => this.index(i)?.unchanged === true);
    }
    if (isPlainObject(value)) {
      if (!isPlainObject(old)) return false;
      const keys = Object.keys(value);
      return keys.length === Object.keys(old).length && keys.every((key) => this.key(key)?.unchanged === true);
    }
    return equalJSON(value as JSONValue, old as JSONValue);
  }

  #indexed(list: readonly unknown[]): ReadonlyMap<string, unknown> {
    return new Map(list.filter(isPlainObject).map((item) => [this.#keyOf(item), item]));
  }

  #keyOf(item: Record<string, unknown>): string {
    return JSON.stringify(
      this.schema.mapKeys.map((key) => (typeof item[key] === 'bigint' ? String(item[key]) : (item[key] ?? null))),
    );
  }
}
