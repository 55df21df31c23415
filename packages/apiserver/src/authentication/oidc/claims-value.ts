import { unescapeName, type CelList, type CelMap } from '@kubechain/cel';

/**
 * Claims as expressions see them: numbers are doubles, as Go decodes JSON, and keys may be written with the escapes of
 * field names (`claims.example__dot__com`).
 */
export function claimsValue(claims: unknown): unknown {
  if (typeof claims !== 'object' || claims === null) return claims;
  return Array.isArray(claims) ? new ClaimList(claims) : new ClaimMap(claims as Readonly<Record<string, unknown>>);
}

class ClaimMap implements CelMap {
  readonly isMap = true;
  readonly #raw: Readonly<Record<string, unknown>>;
  #keys: readonly string[] | undefined;
  constructor(raw: Readonly<Record<string, unknown>>) {
    this.#raw = raw;
  }
  get size(): number {
    return this.keys().length;
  }
  get(key: unknown): unknown {
    if (typeof key !== 'string') return undefined;
    const name = unescapeName(key) ?? key;
    return Object.hasOwn(this.#raw, name) ? claimsValue(this.#raw[name]) : undefined;
  }
  keys(): readonly string[] {
    return (this.#keys ??= Object.keys(this.#raw));
  }
}

class ClaimList implements CelList {
  readonly isList = true;
  readonly #raw: readonly unknown[];
  constructor(raw: readonly unknown[]) {
    this.#raw = raw;
  }
  get size(): number {
    return this.#raw.length;
  }
  at(index: number): unknown {
    return claimsValue(this.#raw[index]);
  }
}
