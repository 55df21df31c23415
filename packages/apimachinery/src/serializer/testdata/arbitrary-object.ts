import fc from 'fast-check';
import type { ScalarSchema, Schema } from '../../schema/schema.ts';

/** How deep generated objects nest; schemas are cyclic. */
const MAX_DEPTH = 4;

/** Random values that satisfy a schema and are in canonical form (no empty optional values, canonical quantities). */
export function arbitraryOf(schema: Schema, depth = 0): fc.Arbitrary<unknown> {
  switch (schema.kind) {
    case 'scalar':
      return scalar(schema);
    case 'list':
      return fc.array(arbitraryOf(schema.items, depth + 1), { minLength: 1, maxLength: 2 });
    case 'map':
      return fc.dictionary(text().filter(isSafeKey), arbitraryOf(schema.values, depth + 1), {
        minKeys: 1,
        maxKeys: 2,
        noNullPrototype: true,
      });
    case 'any':
      return schema.variant === undefined
        ? fc.dictionary(fc.constantFrom('a', 'b'), fc.oneof(fc.integer(), text(), fc.boolean()), {
            noNullPrototype: true,
          })
        : fc.constant({ type: 'string' });
    case 'struct': {
      const members: Record<string, fc.Arbitrary<unknown>> = {};
      for (const field of schema.fields.values()) {
        if (field.name === 'kind' || field.name === 'apiVersion') continue;
        if (depth >= MAX_DEPTH && field.schema.kind !== 'scalar') continue;
        members[field.name] = arbitraryOf(field.schema, depth + 1);
      }
      return fc.record(members, { requiredKeys: [], noNullPrototype: true });
    }
    default:
      return schema satisfies never;
  }
}

function scalar(schema: ScalarSchema): fc.Arbitrary<unknown> {
  switch (schema.type) {
    case 'string':
      return text();
    case 'boolean':
      return fc.constant(true);
    case 'int32':
      return fc.integer().filter((value) => value !== 0);
    case 'int64':
    case 'integer':
      return fc.oneof(
        fc.integer({ min: 1 }),
        fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
        fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
      );
    case 'double':
    case 'number':
      return fc.constantFrom(1.5, -0.25, 1e21, 1e-7);
    case 'bytes':
      return fc.uint8Array({ minLength: 1, maxLength: 5 }).map((bytes) => Buffer.from(bytes).toString('base64'));
    case 'time':
      return fc
        .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => `${date.toISOString().slice(0, 19)}Z`);
    case 'microTime':
      return fc
        .tuple(
          fc.date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }),
          fc.nat(999_999),
        )
        .map(([date, micros]) => `${date.toISOString().slice(0, 19)}.${String(micros).padStart(6, '0')}Z`);
    case 'duration':
      return fc.constantFrom('1s', '1h0m0s', '1.5s', '100ms');
    case 'quantity':
      return fc.constantFrom('1', '500m', '1Gi', '100k', '0', '-2');
    case 'intOrString':
      return fc.oneof(fc.integer(), fc.constantFrom('http', '25%'));
    default:
      return schema.type satisfies never;
  }
}

/**
 * Whether a key may be in an object that a test gives to JSON.parse: after a key with a backslash, V8 13.6 takes
 * escaped keys of later objects for it (nodejs/node issue 63785), so that whichever test comes next fails.
 */
export function isSafeKey(key: string): boolean {
  return !key.includes('\\');
}

function text(): fc.Arbitrary<string> {
  return fc.string({
    unit: fc.constantFrom('a', 'b', 'é', '🙂', '"', '\\', '\n', '<', ' ', '\uffee'),
    minLength: 1,
    maxLength: 30,
  });
}
