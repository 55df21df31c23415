/** Reads the value at a simple JSON path, `.spec.replicas` or `.spec['a.b'].c`; undefined where something is missing. */
export function readPath(object: unknown, path: string): unknown {
  let value = object;
  for (const part of pathParts(path)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[part];
  }
  return value;
}

/** Sets the value at a simple JSON path, making the objects on the way. */
export function writePath(object: Record<string, unknown>, path: string, value: unknown): void {
  const parts = pathParts(path);
  const last = parts.pop();
  if (last === undefined) return;
  let at = object;
  for (const part of parts) {
    const next = at[part];
    at = typeof next === 'object' && next !== null ? next as Record<string, unknown> : at[part] = {} as Record<string, unknown>;
  }
  at[last] = value;
}

function pathParts(path: string): string[] {
  return [...path.matchAll(/\.([^.[\]]+)|\['([^']+)'\]/g)].map((match) => match[1] ?? match[2] ?? '');
}
