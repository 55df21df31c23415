/** Whether a value counts as true for Go's templates: not 0, "", false, nil, or an empty list or map. */
export function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isMap(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== '';
}

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * As Go's fmt prints a value with %v: maps by sorted keys; what is not there is `<no value>` at the top, as templates
 * say.
 */
export function goText(value: unknown, inside = false): string {
  if (value === undefined || value === null) return inside ? '<nil>' : '<no value>';
  if (Array.isArray(value)) return `[${value.map((item) => goText(item, true)).join(' ')}]`;
  if (isMap(value))
    return `map[${Object.keys(value)
      .sort()
      .map((key) => `${key}:${goText(value[key], true)}`)
      .join(' ')}]`;
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

/** Go's Printf, for the verbs v, s, d, q, t and f, with flags and widths. */
export function goPrintf(format: string, args: readonly unknown[]): string {
  let next = 0;
  return format.replace(/%[-+0]*(?:[1-9]\d*)?(?:\.\d+)?[a-zA-Z%]/g, (all) => {
    const verb = all.at(-1)!;
    if (verb === '%') return '%';
    if (next >= args.length) return `%!${verb}(MISSING)`;
    const value = args[next++];
    const [, flags = '', width = '', digits] = /^%([-+0]*)(\d*)(?:\.(\d+))?/.exec(all) ?? [];
    const shown = one(verb, value, digits === undefined ? undefined : Number(digits));
    if (shown === undefined) return `%!${verb}(${typeName(value)}=${goText(value, true)})`;
    const size = Number(width);
    if (flags.includes('-')) return shown.padEnd(size);
    return shown.padStart(size, flags.includes('0') && typeof value === 'number' ? '0' : ' ');
  });
}

function typeName(value: unknown): string {
  return typeof value === 'boolean' ? 'bool' : typeof value === 'number' ? 'int' : typeof value;
}

function one(verb: string, value: unknown, digits: number | undefined): string | undefined {
  switch (verb) {
    case 'f':
      return Number(value).toFixed(digits ?? 6);
    case 'q':
      return JSON.stringify(goText(value, true));
    case 'd':
      return typeof value === 'number' ? String(value) : undefined;
    case 's':
    case 't':
    case 'v':
      return goText(value, true);
    default:
      return undefined;
  }
}
