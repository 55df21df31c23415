import type { FlagSet } from './flag-set.ts';

/**
 * Names and values of all flags, defaults included, sorted: what /flagz shows. Files are named, never shown, so no
 * value is a secret.
 */
export function effectiveFlags(
  sets: Readonly<Record<string, FlagSet>>,
  values: Readonly<Record<string, unknown>>,
): ReadonlyMap<string, string> {
  const texts: [string, string][] = [];
  for (const [key, set] of Object.entries(sets)) {
    const ofSet = values[key] as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(set.flags)) texts.push([name, textOf(ofSet[name])]);
  }
  return new Map(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function textOf(value: unknown): string {
  if (value instanceof Map) return [...value].map(([key, each]) => `${String(key)}=${String(each)}`).join(',');
  return Array.isArray(value) ? `[${value.join(',')}]` : String(value);
}
