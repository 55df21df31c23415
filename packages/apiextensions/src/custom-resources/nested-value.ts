import { goTypeName, goValue } from '@kubechain/apimachinery';

/**
 * What a simple path leads to: `problem` is upstream's text for a value of another type (unstructured.NestedInt64,
 * NestedString).
 */
export interface Nested<T> {
  readonly value: T | undefined;
  readonly problem: string | undefined;
}

/** Splits `.spec.replicas`; dots always separate. */
export function splitPath(path: string): string[] {
  return path.replace(/^\./, '').split('.');
}

export function nestedInteger(object: unknown, path: string): Nested<number> {
  const { problem, value } = nested(object, path);
  if (problem !== undefined || value === undefined) return { value: undefined, problem };
  if (typeof value === 'bigint') return { value: Number(value), problem };
  // What is beyond is a bigint where it was written as a whole number, and a float64 where it was not.
  if (typeof value === 'number' && Number.isSafeInteger(value)) return { value, problem };
  return { value: undefined, problem: accessorProblem(splitPath(path), value, 'int64') };
}

export function nestedString(object: unknown, path: string): Nested<string> {
  const { problem, value } = nested(object, path);
  if (problem !== undefined || value === undefined) return { value: undefined, problem };
  return typeof value === 'string'
    ? { value, problem }
    : { value: undefined, problem: accessorProblem(splitPath(path), value, 'string') };
}

/** Sets the value at a simple path, making the objects on the way. */
export function setNested(object: Record<string, unknown>, path: string, value: unknown): void {
  const parts = splitPath(path);
  const last = parts.pop() ?? '';
  let at = object;
  for (const part of parts) {
    const next = at[part];
    at =
      typeof next === 'object' && next !== null
        ? (next as Record<string, unknown>)
        : (at[part] = {} as Record<string, unknown>);
  }
  at[last] = value;
}

function nested(object: unknown, path: string): { readonly value: unknown; readonly problem: string | undefined } {
  const parts = splitPath(path);
  let value = object;
  for (const [i, part] of parts.entries()) {
    if (value === null || value === undefined) return { value: undefined, problem: undefined };
    if (typeof value !== 'object' || Array.isArray(value))
      return { value: undefined, problem: accessorProblem(parts.slice(0, i + 1), value, 'map[string]interface{}') };
    if (!Object.hasOwn(value, part)) return { value: undefined, problem: undefined };
    value = (value as Record<string, unknown>)[part];
  }
  return { value, problem: undefined };
}

function accessorProblem(parts: readonly string[], value: unknown, expected: string): string {
  return (
    `.${parts.join('.')} accessor error: ${goValue(value)} is of the type ${goTypeName(value)}, expected ` +
    `${expected}`
  );
}
