import { isDeepStrictEqual } from 'node:util';
import { tableSchema } from '../../packages/apiserver/src/openapi/built-in-schema.ts';
import type { Release } from '../../packages/apimachinery/src/builtin/release.ts';
import type { OpenAPISchema } from './facts.ts';

const withoutTexts = { definition: () => undefined, parameter: () => undefined };

/** What the published schemas say otherwise than the schema table, as merge patches of each definition's properties. */
export function openAPIExtras(
  openapi: Readonly<Record<string, OpenAPISchema>>,
  release?: Release,
): Readonly<Record<string, unknown>> {
  const extras: [string, unknown][] = [];
  for (const [name, published] of Object.entries(openapi)) {
    const patch = mergePatch(
      JSON.parse(JSON.stringify(tableSchema(name, withoutTexts, release).properties ?? {})) as unknown,
      published.properties ?? {},
    );
    if (patch !== undefined) extras.push([name, patch]);
  }
  return Object.fromEntries(extras);
}

/** RFC 7396: what makes `from` into `to`; undefined when nothing does. */
function mergePatch(from: unknown, to: unknown): unknown {
  if (isDeepStrictEqual(from, to)) return undefined;
  if (!isObject(from) || !isObject(to)) return to;
  const patch: Record<string, unknown> = {};
  for (const key of Object.keys(from)) if (!(key in to)) patch[key] = null;
  for (const [key, value] of Object.entries(to)) {
    const change = key in from ? mergePatch(from[key], value) : value;
    if (change !== undefined) patch[key] = change;
  }
  return patch;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
