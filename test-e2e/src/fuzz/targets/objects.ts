import { builtinScheme, type KindInfo, type Schema } from '@kubechain/apimachinery';
import type { FuzzRandom } from '../fuzz-random.ts';

let kinds: readonly KindInfo[] | undefined;

/** Any built-in kind. */
export function anyKind(random: FuzzRandom): KindInfo {
  return random.pick((kinds ??= [...builtinScheme().kinds()]));
}

const WORDS = [
  'a',
  'b',
  'name',
  'x-y',
  'example.com',
  'a/b',
  '1',
  '10m',
  '1Gi',
  '2024-01-01T00:00:00Z',
  '80',
  'TCP',
  '.',
  ':',
];

/** An object of the kind, mostly as its schema has it. */
export function anyObject(random: FuzzRandom, kind: KindInfo): Record<string, unknown> {
  const value = anyValue(random, kind.schema, 0);
  const { group, kind: name, version } = kind.gvk;
  return {
    apiVersion: group === '' ? version : `${group}/${version}`,
    kind: name,
    ...(typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}),
  };
}

/** A value that mostly fits the schema. */
export function anyValue(random: FuzzRandom, schema: Schema, depth: number): unknown {
  if (random.chance(60)) return oddValue(random);
  switch (schema.kind) {
    case 'scalar':
      return anyScalar(random, schema.type);
    case 'list':
      return depth > 7 ? [] : random.list(3, () => anyValue(random, schema.items, depth + 1));
    case 'map': {
      const map: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      for (let left = random.below(4); left > 0; left--)
        map[random.text(WORDS, 2)] = anyValue(random, schema.values, depth + 1);
      return map;
    }
    case 'any':
      return oddValue(random);
    case 'struct': {
      const struct: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      const oneIn = 1 + depth * 2 + (schema.fields.size > 8 ? 3 : 0);
      for (const field of schema.fields.values())
        if (depth < 8 && field.name !== 'apiVersion' && field.name !== 'kind' && random.chance(oneIn))
          struct[field.name] = anyValue(random, field.schema, depth + 1);
      if (random.chance(20)) struct[random.text(WORDS, 2)] = oddValue(random);
      return struct;
    }
    default:
      return schema satisfies never;
  }
}

function anyScalar(random: FuzzRandom, type: string): unknown {
  switch (type) {
    case 'boolean':
      return random.chance(2);
    case 'int32':
    case 'int64':
    case 'integer':
      return random.integer();
    case 'double':
    case 'number':
      return random.pick([0, -0, 0.1, 1e21, -1e-7, 5e-324, 1.7e308]);
    case 'intOrString':
      return random.chance(2) ? random.integer() : random.text(['1', '%', '-', '0'], 4);
    case 'bytes':
      return Buffer.from(random.bytes(24)).toString('base64');
    case 'time':
    case 'microTime':
      return random.pick([
        '2024-02-29T23:59:60Z',
        '2024-01-01T00:00:00.123456Z',
        '0001-01-01T00:00:00Z',
        '9999-12-31T23:59:59+14:00',
      ]);
    case 'duration':
      return random.text(['1', '.', '5', 'h', 'm', 's', 'ms', 'µs', '-'], 6);
    case 'quantity':
      return random.text(['1', '0', '.', 'e', 'E', 'Ki', 'm', '-', '+', '9'], 6);
    default:
      return random.text(WORDS, 3);
  }
}

/** Any JSON value. */
export function oddValue(random: FuzzRandom, depth = 0): unknown {
  switch (random.below(depth > 4 ? 5 : 7)) {
    case 0:
      return null;
    case 1:
      return random.chance(2);
    case 2:
      return random.integer();
    case 3:
      return random.pick([0.5, 1e300, -1e-300, 0.1 + 0.2]);
    case 4:
      return random.text(WORDS, 4);
    case 5:
      return random.list(3, () => oddValue(random, depth + 1));
    default: {
      const map: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
      for (let left = random.below(4); left > 0; left--) map[random.text(WORDS, 2)] = oddValue(random, depth + 1);
      return map;
    }
  }
}

/** An object as JSON. */
export function objectText(random: FuzzRandom): { readonly kind: KindInfo; readonly text: string } {
  const kind = anyKind(random);
  return { kind, text: JSON.stringify(anyObject(random, kind), undefined, random.chance(4) ? 2 : undefined) };
}

/** The bytes as they are, or one time in two with mistakes in them. */
export function mistaken(random: FuzzRandom, bytes: Uint8Array): Uint8Array {
  return random.chance(2) ? bytes : random.mutate(bytes);
}
