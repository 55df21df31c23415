import { isMap } from './template/go-values.ts';
import { StageError } from './stage-error.ts';

/** The fields of a part of a manifest, checked as they are read; every refusal says where it is. */
export class Fields {
  readonly place: string;
  readonly #value: Readonly<Record<string, unknown>>;

  /** `known` are all names that it may have. @throws StageError for others, and for what is no object */
  constructor(value: unknown, place: string, known: readonly string[]) {
    this.place = place;
    if (!isMap(value)) throw new StageError(`${place}: must be an object`);
    for (const name of Object.keys(value))
      if (!known.includes(name)) throw new StageError(`${this.#placeOf(name)}: is not supported`);
    this.#value = value;
  }

  has(name: string): boolean {
    return this.#value[name] !== undefined && this.#value[name] !== null;
  }

  text(name: string): string | undefined {
    return this.#of(name, 'string');
  }

  number(name: string): number | undefined {
    return this.#of(name, 'number');
  }

  flag(name: string): boolean {
    return this.#of<boolean>(name, 'boolean') ?? false;
  }

  part(name: string, known: readonly string[]): Fields | undefined {
    return this.has(name) ? new Fields(this.#value[name], this.#placeOf(name), known) : undefined;
  }

  parts(name: string, known: readonly string[]): readonly Fields[] {
    return this.#list(name).map((value, index) => new Fields(value, `${this.#placeOf(name)}[${index}]`, known));
  }

  texts(name: string): readonly string[] {
    return this.#list(name).map((value) => {
      if (typeof value !== 'string') return this.refuse('must be a list of strings', name);
      return value;
    });
  }

  map(name: string): ReadonlyMap<string, string> {
    if (!this.has(name)) return new Map();
    const value = this.#value[name];
    if (!isMap(value) || !Object.values(value).every((one) => typeof one === 'string'))
      return this.refuse('must be a map of strings', name);
    return new Map(Object.entries(value) as [string, string][]);
  }

  /** What reads a text (a template, a query), with the place in front of what it refuses. */
  read<T>(name: string, read: (text: string) => T): T | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    try {
      return read(text);
    } catch (error) {
      if (!(error instanceof StageError)) throw error;
      throw new StageError(`${this.#placeOf(name)}: ${error.message}`, { cause: error });
    }
  }

  refuse(why: string, name?: string): never {
    throw new StageError(`${name === undefined ? this.place : this.#placeOf(name)}: ${why}`);
  }

  /** Of a manifest's first level: after its file. */
  #placeOf(name: string): string {
    return this.place.endsWith(': ') ? this.place + name : `${this.place}.${name}`;
  }

  #of<T>(name: string, type: 'string' | 'number' | 'boolean'): T | undefined {
    if (!this.has(name)) return undefined;
    const value = this.#value[name];
    if (typeof value !== type) return this.refuse(`must be a ${type}`, name);
    return value as T;
  }

  #list(name: string): readonly unknown[] {
    if (!this.has(name)) return [];
    const value = this.#value[name];
    return Array.isArray(value) ? value : this.refuse('must be a list', name);
  }
}
