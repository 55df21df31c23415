import type { FlagSet } from './flag-set.ts';

let effective: ReadonlyMap<string, string> = new Map();

/** Remembers the flags of this process, for /flagz. Files are named, never shown, so no value is a secret. */
export function rememberFlags(
  sets: Readonly<Record<string, FlagSet>>,
  values: Readonly<Record<string, unknown>>,
): void {
  const texts: [string, string][] = [];
  for (const [key, set] of Object.entries(sets)) {
    const ofSet = values[key] as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(set.flags)) texts.push([name, textOf(ofSet[name])]);
  }
  effective = new Map(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Names and values of all flags, defaults included, sorted; empty in a process that has read none. */
export function effectiveFlags(): ReadonlyMap<string, string> {
  return effective;
}

function textOf(value: unknown): string {
  if (value instanceof Map) return [...value].map(([key, each]) => `${String(key)}=${String(each)}`).join(',');
  return Array.isArray(value) ? `[${value.join(',')}]` : String(value);
}
