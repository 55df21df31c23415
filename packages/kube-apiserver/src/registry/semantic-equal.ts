/**
 * Whether two JSON values mean the same to an API object: absent, null, {} and [] are one, as
 * equality.Semantic.DeepEqual of k8s.io/apimachinery has it for nil and empty.
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return isEmpty(a) && isEmpty(b);
  return (Array.isArray(a) ? Array.isArray(b) && equalLists(a, b) : !Array.isArray(b) && equalMembers(a as Members, b as Members)) || (isEmpty(a) && isEmpty(b));
}

type Members = Readonly<Record<string, unknown>>;

function equalLists(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!semanticEqual(a[i], b[i])) return false;
  return true;
}

function equalMembers(a: Members, b: Members): boolean {
  for (const key in a) if (!semanticEqual(a[key], b[key])) return false;
  for (const key in b) if (!(key in a) && !isEmpty(b[key])) return false;
  return true;
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object') return false;
  if (Array.isArray(value)) return value.length === 0;
  for (const key in value) if (!isEmpty((value as Record<string, unknown>)[key])) return false;
  return true;
}
