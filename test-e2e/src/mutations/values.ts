import type { SeededRandom } from '@kubechain/shared-storage/testing';
import type { Schema, Schemas } from './schemas.ts';

/** A value of JSON, changed in place. */
export type Value = null | boolean | number | string | Value[] | ObjectMap;
export type ObjectMap = { [name: string]: Value };

/** Texts that some rule of Kubernetes knows, or refuses. */
const TEXTS: readonly string[] = (
  '|a|A|-|a-b|a_b|a.b|a/b|a/b/c|.|..|a..b|ünï|a b|*|$(A)|0|1|-1|true|10%|101%|1Gi|1.5|-1Gi|1e999|abc=def|10.0.0.1|' +
  '10.0.0.0/8|::1|fd00::/8|http://x|2020-01-01T00:00:00Z|2020-01-01T00:00:00.123456Z|Always|Never|TCP|http|' +
  'metadata.name|kubernetes.io/x|example.com/x|a,b|null|{}|[]|none|None|Retain|Delete|ReadWriteOnce|Exists|In|Equal|' +
  'NoSchedule|ClusterIP|default|IPv4|IPv6|Local|Cluster'
)
  .split('|')
  .concat('a'.repeat(63), 'x'.repeat(64), 'x'.repeat(254));
const NUMBERS: readonly number[] = [
  0, 1, -1, 2, 10, 100, -100, 511, 512, 30_000, 32_767, 65_535, 65_536, 0.1, 1.5, 1e30, 2_147_483_647, 2_147_483_648,
  -2_147_483_649, 9_007_199_254_740_991,
];
/** What is of the wrong type nearly everywhere. */
const ODD: readonly (() => Value)[] = [
  () => null,
  () => '',
  () => 0,
  () => [],
  () => ({}),
  () => true,
  () => 'x',
  () => -1,
];
/** Objects that nest deeper are made of what they must have. */
const MAX_DEPTH = 5;

/** Makes values by schemas, mostly of the right type, often against some rule. */
export class Values {
  readonly #schemas: Schemas;
  readonly #random: SeededRandom;

  constructor(schemas: Schemas, random: SeededRandom) {
    this.#schemas = schemas;
    this.#random = random;
  }

  /** In [0, 1). */
  share(): number {
    return this.#random(1_000_000) / 1_000_000;
  }
  chance(share: number): boolean {
    return this.share() < share;
  }
  /** A whole number in [0, count). */
  below(count: number): number {
    return this.#random(count);
  }
  pick<T>(choices: readonly T[]): T {
    return choices[this.below(choices.length)] as T;
  }
  text(): string {
    return this.pick(TEXTS);
  }
  number(): number {
    return this.pick(NUMBERS);
  }
  odd(): Value {
    return this.pick(ODD)();
  }

  of(schema: Schema | undefined, depth = 0): Value {
    const resolved = this.#schemas.resolve(schema);
    if (this.chance(0.06)) return this.odd();
    if (resolved.enum !== undefined && this.chance(0.8)) return this.pick(resolved.enum) as Value;
    if (resolved.oneOf !== undefined || resolved.format === 'int-or-string')
      return this.chance(0.5) ? this.text() : this.number();
    switch (resolved.type) {
      case 'string':
        return resolved.format === 'byte' ? this.pick(['YQ==', '!', 'YQ']) : this.text();
      case 'integer':
      case 'number':
        return this.number();
      case 'boolean':
        return this.chance(0.9) ? this.chance(0.5) : this.pick<Value>(['true', 1]);
      case 'array':
        return Array.from({ length: depth >= MAX_DEPTH ? 0 : this.below(3) }, () => this.of(resolved.items, depth + 1));
      default:
        return this.#object(resolved, depth);
    }
  }

  #object({ additionalProperties, properties, required = [] }: Schema, depth: number): Value {
    const made: Record<string, Value> = {};
    const names = Object.keys(properties ?? {});
    for (const name of names) {
      const share = required.includes(name) ? 0.92 : depth > MAX_DEPTH ? 0 : Math.min(0.5, 2 / names.length);
      if (this.chance(share)) made[name] = this.of(properties?.[name], depth + 1);
    }
    if (names.length === 0 && additionalProperties !== undefined && depth <= MAX_DEPTH)
      for (let count = this.below(3); count > 0; count--)
        made[this.text()] = this.of(itemsOf(additionalProperties), depth + 1);
    return made;
  }
}

export function isMap(value: Value | undefined): value is ObjectMap {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

/** The schema of a map's values. */
export function itemsOf(additionalProperties: Schema | boolean | undefined): Schema {
  return typeof additionalProperties === 'object' ? additionalProperties : { type: 'string' };
}
