import { isMap, type ObjectMap, type Value } from '../values.ts';

/** The parts of `spec.ports.0.name`; `~1` stands for a dot within one. */
export function partsOf(path: string): readonly string[] {
  return path.split('.').map((part) => part.replaceAll('~1', '.'));
}

/** Sets or, with undefined, removes what stands at a path; maps on the way are made, items of lists are not. */
export function put(object: ObjectMap, path: string, value: Value | undefined): void {
  const parts = partsOf(path);
  let at: Value = object;
  for (const [i, part] of parts.entries()) {
    const isLast = i === parts.length - 1;
    if (Array.isArray(at)) {
      const index = Number(part);
      if (index >= at.length) return;
      if (isLast) {
        if (value === undefined) at.splice(index, 1);
        else at[index] = structuredClone(value);
        return;
      }
      at = at[index] ?? null;
    } else if (isMap(at)) {
      if (isLast) {
        if (value === undefined) delete at[part];
        else at[part] = structuredClone(value);
        return;
      }
      if (at[part] === undefined) {
        if (/^\d+$/.test(parts[i + 1] ?? '')) return;
        at[part] = {};
      }
      at = at[part] ?? null;
    } else return;
  }
}

/** What stands at a path. */
export function at(object: Value | undefined, path: string): Value | undefined {
  let found = object;
  for (const part of partsOf(path)) {
    if (Array.isArray(found)) found = found[Number(part)];
    else if (isMap(found)) found = found[part];
    else return undefined;
  }
  return found;
}

const MERGE_KEYS = ['name', 'port', 'ip', 'type', 'key', 'uid', 'containerPort'] as const;

/**
 * A patch with one change: lists are replaced as a whole by a merge patch, items are named by their keys in a
 * strategic one. Undefined removes.
 */
export function mergePatch(object: ObjectMap, path: string, value: Value | undefined, isStrategic: boolean): ObjectMap {
  const parts = partsOf(path);
  const patch: ObjectMap = {};
  let into = patch;
  let from: Value | undefined = object;
  for (const [i, part] of parts.entries()) {
    if (i === parts.length - 1) {
      into[part] = value === undefined ? null : structuredClone(value);
      break;
    }
    from = isMap(from) ? from[part] : undefined;
    if (Array.isArray(from)) {
      const rest = parts.slice(i + 1).map((of) => of.replaceAll('.', '~1'));
      const list: Value[] = structuredClone(from);
      if (isStrategic) {
        const item: Value | undefined = list[Number(rest[0])];
        if (!isMap(item)) break;
        const key = MERGE_KEYS.find((name) => name in item);
        const made: ObjectMap = key === undefined ? {} : { [key]: item[key] ?? null };
        if (rest.length > 1) Object.assign(made, mergePatch(item, rest.slice(1).join('.'), value, true));
        into[part] = [made];
      } else {
        const whole: ObjectMap = { list };
        put(whole, ['list', ...rest].join('.'), value);
        into[part] = whole['list'] ?? null;
      }
      break;
    }
    const next: ObjectMap = {};
    into[part] = next;
    into = next;
  }
  return patch;
}

/** The two patches in one. */
export function merged(one: ObjectMap, other: ObjectMap): ObjectMap {
  const made = { ...one };
  for (const [name, value] of Object.entries(other)) {
    const before = made[name];
    made[name] = isMap(before) && isMap(value) ? merged(before, value) : value;
  }
  return made;
}

/** `/spec/ports/0` */
export function pointerOf(path: string): string {
  return partsOf(path)
    .map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
