import { parseDuration, parseTime, type KubeObject } from '@kubechain/apimachinery';
import { parseCel } from './cel.ts';
import type { Fields } from './fields.ts';
import { parseQuery } from './jq/query.ts';

/** What an expression of `weightFrom`, `durationFrom` and `jitterDurationFrom` finds first; undefined for nothing. */
export type ValueFrom = (object: KubeObject) => unknown;

const expressionFields = ['expressionFrom', 'jq', 'cel'];

/** Reads `NAMEFrom` of a part. @throws StageError */
export function valueFrom(fields: Fields, name: string): ValueFrom | undefined {
  const from = fields.part(name, expressionFields);
  if (from === undefined) return undefined;
  const cel = from.part('cel', ['expression'])?.read('expression', parseCel);
  if (cel !== undefined) return cel;
  const query =
    from.part('jq', ['expression'])?.read('expression', parseQuery) ?? from.read('expressionFrom', parseQuery);
  if (query === undefined) return from.refuse('has no expression');
  return (object) => query(object)[0];
}

/** kwok's value_int_from.go: text is parsed, an empty one says nothing, what finds nothing leaves the default. */
export function integerOf(value: unknown, otherwise: number): number | undefined {
  if (typeof value === 'number') return Math.trunc(value);
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'string') return otherwise;
  return /^[+-]?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

/** kwok's value_duration_from.go: a time is how long it is until then, a text is a duration; in ms. */
export function durationOf(value: unknown, nowMs: number, otherwiseMs: number | undefined): number | undefined {
  if (typeof value !== 'string') return otherwiseMs;
  if (value === '') return undefined;
  return quietly(() => parseTime(value) - nowMs) ?? quietly(() => Number(parseDuration(value)) / 1e6) ?? otherwiseMs;
}

function quietly(read: () => number): number | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
