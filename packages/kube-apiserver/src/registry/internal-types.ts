import type { Release } from '@kubechain/apimachinery';
import table from './generated/internal-types.json' with { type: 'json' };

/** A field under Go's name, and the shape of its values. */
export interface InternalField {
  readonly name: string;
  readonly shape: string;
}

/** The internal types of one release: their fields, by name. */
export class InternalTypes {
  readonly #rows: ReadonlyMap<string, string>;
  readonly #parsed = new Map<string, readonly InternalField[]>();

  constructor(rows: Iterable<readonly [string, string]> = Object.entries(table)) {
    this.#rows = new Map(rows);
  }

  /** Those of a release. */
  static of(release: Release): InternalTypes {
    return new InternalTypes(release.table<[string, string]>('internalTypes', Object.entries(table)));
  }

  fieldsOf(type: string): readonly InternalField[] {
    let list = this.#parsed.get(type);
    if (list === undefined) {
      list = (this.#rows.get(type) ?? '')
        .split(' ')
        .filter((field) => field !== '')
        .map((field) => {
          const colon = field.indexOf(':');
          return { name: field.slice(0, colon), shape: field.slice(colon + 1) };
        });
      this.#parsed.set(type, list);
    }
    return list;
  }
}
