import { isMap, type ObjectMap, type Value, type Values } from './values.ts';

/** A patch and its media type. */
export interface Patch {
  readonly contentType: string;
  readonly body: string;
}

/** Keys by which strategic patches name the items of lists. */
const MERGE_KEYS = ['name', 'type', 'ip', 'key', 'uid', 'containerPort', 'port', 'mountPath', 'topologyKey'] as const;
/** Removed or replaced by a strategic patch that says so. */
const DIRECTIVES = ['delete', 'replace', 'merge', 'x'] as const;

/** What changes one object into another, as one of the forms that a patch has. */
export function patchOf(before: ObjectMap, after: ObjectMap, values: Values): Patch {
  const way = values.share();
  if (way < 0.35) return patch('json', jsonPatchOf(before, after, values));
  if (way < 0.55) return patch('merge', membersThatDiffer(before, after));
  if (way < 0.7) return patch('strategic-merge', membersThatDiffer(before, after));
  if (way < 0.8) return patch('merge', mergePatchOf(before, after));
  return patch('strategic-merge', strategicPatchOf(before, after, values));
}

function patch(form: string, body: Value): Patch {
  return { contentType: `application/${form}-patch+json`, body: JSON.stringify(body) };
}

/** The members at the top that differ, whole. */
function membersThatDiffer(before: ObjectMap, after: ObjectMap): ObjectMap {
  return Object.fromEntries(Object.entries(after).filter(([name, value]) => !isSame(value, before[name])));
}

function isSame(one: Value | undefined, other: Value | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** RFC 7386: what is left out of `after` is null. */
function mergePatchOf(before: ObjectMap, after: ObjectMap): ObjectMap {
  const made: ObjectMap = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [before[name], after[name]];
    if (isSame(from, to)) continue;
    made[name] = to === undefined ? null : isMap(from) && isMap(to) ? mergePatchOf(from, to) : to;
  }
  return made;
}

/** Lists of maps that have a key are merged, and now and then a directive says what becomes of something. */
function strategicPatchOf(before: ObjectMap, after: ObjectMap, values: Values): ObjectMap {
  const made: ObjectMap = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [before[name], after[name]];
    if (isSame(from, to)) continue;
    if (to === undefined) made[name] = values.chance(0.8) ? null : { $patch: 'delete' };
    else if (isMap(from) && isMap(to)) made[name] = strategicPatchOf(from, to, values);
    else if (Array.isArray(from) && Array.isArray(to)) listPatch({ name, from, to }, made, values);
    else made[name] = to;
    if (values.chance(0.04)) made[`$retainKeys`] = Object.keys(after).filter(() => values.chance(0.7));
  }
  if (values.chance(0.04)) made['$patch'] = values.pick(DIRECTIVES);
  return made;
}

interface ChangedList {
  readonly name: string;
  readonly from: readonly Value[];
  readonly to: readonly Value[];
}

function listPatch({ from, name, to }: ChangedList, made: ObjectMap, values: Values): void {
  const [first] = [...to, ...from];
  const key = isMap(first) ? MERGE_KEYS.find((of) => of in first) : undefined;
  if (key === undefined) {
    if (values.chance(0.7)) made[name] = [...to];
    const gone = from.filter((item) => !to.some((other) => isSame(item, other)));
    if (gone.length > 0 && values.chance(0.5)) made[`$deleteFromPrimitiveList/${name}`] = gone;
    if (values.chance(0.2)) made[`$setElementOrder/${name}`] = [...to];
    return;
  }
  const items: Value[] = [];
  for (const item of to) {
    const same = from.find((other) => isMap(other) && isMap(item) && isSame(other[key], item[key]));
    if (same === undefined) items.push(item);
    else if (isMap(same) && isMap(item) && !isSame(same, item))
      items.push({ [key]: item[key] ?? null, ...strategicPatchOf(same, item, values) });
  }
  for (const item of from)
    if (isMap(item) && !to.some((other) => isMap(other) && isSame(other[key], item[key])))
      items.push({ $patch: 'delete', [key]: item[key] ?? null });
  if (values.chance(0.05)) items.push({ $patch: values.pick(DIRECTIVES) });
  made[name] = items;
  if (values.chance(0.3))
    made[`$setElementOrder/${name}`] = to.map((item) => (isMap(item) ? { [key]: item[key] ?? null } : item));
}

/** RFC 6902, with a test or a copy now and then. */
function jsonPatchOf(before: ObjectMap, after: ObjectMap, values: Values): Value[] {
  const operations: Value[] = [];
  const pointer = (path: readonly (string | number)[]): string =>
    path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const visit = (from: Value | undefined, to: Value | undefined, path: readonly (string | number)[]): void => {
    if (isSame(from, to)) return;
    const at = pointer(path);
    if (from !== undefined && values.chance(0.1)) operations.push({ op: 'test', path: at, value: from });
    if (to === undefined) operations.push({ op: 'remove', path: at });
    else if (from === undefined) operations.push({ op: values.chance(0.95) ? 'add' : 'replace', path: at, value: to });
    else if (isMap(from) && isMap(to))
      for (const name of new Set([...Object.keys(from), ...Object.keys(to)]))
        visit(from[name], to[name], [...path, name]);
    else if (Array.isArray(from) && Array.isArray(to) && values.chance(0.8)) {
      for (let i = 0; i < Math.min(from.length, to.length); i++) visit(from[i], to[i], [...path, i]);
      for (let i = from.length - 1; i >= to.length; i--) operations.push({ op: 'remove', path: pointer([...path, i]) });
      for (let i = from.length; i < to.length; i++)
        operations.push({ op: 'add', path: pointer([...path, values.chance(0.5) ? '-' : i]), value: to[i] ?? null });
    } else operations.push({ op: values.chance(0.8) ? 'replace' : 'add', path: at, value: to });
  };
  visit(before, after, []);
  const [some] = operations;
  if (isMap(some) && values.chance(0.08))
    operations.push({ op: values.pick(['copy', 'move']), from: some['path'] ?? '', path: '/metadata/annotations' });
  if (values.chance(0.05))
    operations.push({
      op: values.pick(['remove', 'test', 'x', 'replace']),
      path: values.pick(['', '/x', '/spec/x/-', 'spec']),
    });
  return operations;
}
