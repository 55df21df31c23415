/**
 * Whether two JSON values mean the same to an API object: absent, null, {} and [] are one, as
 * equality.Semantic.DeepEqual of k8s.io/apimachinery has it for nil and empty.
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (isEmpty(a) && isEmpty(b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => semanticEqual(item, b[i]));
  if (Array.isArray(b)) return false;
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key of Object.keys(left)) if (!semanticEqual(left[key], right[key])) return false;
  for (const key of Object.keys(right)) if (!(key in left) && !isEmpty(right[key])) return false;
  return true;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const key in value) if (!isEmpty((value as Record<string, unknown>)[key])) return false;
  return true;
}
