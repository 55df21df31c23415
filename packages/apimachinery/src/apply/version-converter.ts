import type { JSONValue, KubeObject } from '../object/object.ts';
import { cloneJSON } from '../object/json-object.ts';
import type { Schema } from '../schema/schema.ts';
import type { Atom } from './atom.ts';
import { atomOf, deducedAtom } from './atom.ts';
import { validateTyped } from './validate.ts';

/** An object in one version, with what apply knows of that version's schema. */
export interface TypedObject {
  readonly apiVersion: string;
  readonly atom: Atom;
  readonly value: JSONValue;
}

/** What converting between the versions of a kind takes. */
export interface Versions {
  /** The schema of the kind in a version; `undefined` when it does not exist (any more), `null` when it has none. */
  readonly schemaFor: (apiVersion: string) => Schema | null | undefined;
  /** The object in another version; may change and return its argument. Not called for a version without a schema. */
  readonly convert: (object: KubeObject, apiVersion: string) => KubeObject | Promise<KubeObject>;
  /**
   * What conversion gives may not fit the version's schema (custom resources), which then is an error. Default false.
   */
  readonly checkConverted?: boolean;
}

/** Converts typed objects between versions. */
export class VersionConverter {
  readonly #versions: Versions;
  constructor(versions: Versions) {
    this.#versions = versions;
  }

  /** Whether what conversion gives may not fit. */
  get isChecked(): boolean {
    return this.#versions.checkConverted === true;
  }

  /** The object's fields by the schema of a version; `undefined` when that version does not exist. */
  typed(value: JSONValue, apiVersion: string): TypedObject | undefined {
    const schema = this.#versions.schemaFor(apiVersion);
    if (schema === undefined) return undefined;
    return { apiVersion, atom: schema === null ? deducedAtom : atomOf(schema), value };
  }

  /**
   * The same object in another version; `undefined` when that version does not exist. @throws TypedError when it does
   * not fit there and that is checked
   */
  convert(object: TypedObject, apiVersion: string): TypedObject | undefined | Promise<TypedObject | undefined> {
    if (object.apiVersion === apiVersion) return object;
    if (this.#versions.schemaFor(apiVersion) === undefined) return undefined;
    const copy = { ...(cloneJSON(object.value) as KubeObject), apiVersion: object.apiVersion };
    const converted = this.#versions.convert(copy, apiVersion);
    return converted instanceof Promise
      ? converted.then((result) => this.#checked(result as JSONValue, apiVersion))
      : this.#checked(converted as JSONValue, apiVersion);
  }

  #checked(value: JSONValue, apiVersion: string): TypedObject | undefined {
    const typed = this.typed(value, apiVersion);
    if (typed !== undefined && this.isChecked) validateTyped(typed.atom, value);
    return typed;
  }
}
