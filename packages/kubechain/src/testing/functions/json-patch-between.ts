import { append } from '@kubechain/apimachinery';
import { isDeepStrictEqual } from 'node:util';

/** An operation of RFC 6902. */
export type JSONPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }
  | { readonly op: 'move' | 'copy'; readonly path: string; readonly from: string };

/**
 * What makes `after` of `before`: operations on members that differ. Elements that were appended to a list are added;
 * a list that differs otherwise is replaced where its elements are not the same in number.
 */
export function jsonPatchBetween(before: unknown, after: unknown, path = ''): JSONPatchOperation[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (Array.isArray(before) && Array.isArray(after)) return listPatch(before, after, path);
  if (!isObject(before) || !isObject(after)) return [{ op: 'replace', path, value: after }];
  const operations: JSONPatchOperation[] = [];
  for (const [key, value] of Object.entries(before)) {
    const at = `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    // What JSON leaves out is not there.
    if (after[key] === undefined) {
      if (value !== undefined) operations.push({ op: 'remove', path: at });
    } else if (value === undefined) operations.push({ op: 'add', path: at, value: after[key] });
    else append(operations, jsonPatchBetween(value, after[key], at));
  }
  for (const [key, value] of Object.entries(after))
    if (!Object.hasOwn(before, key) && value !== undefined)
      operations.push({ op: 'add', path: `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, value });
  return operations;
}

function listPatch(before: readonly unknown[], after: readonly unknown[], path: string): JSONPatchOperation[] {
  if (before.length === after.length)
    return before.flatMap((value, i) => jsonPatchBetween(value, after[i], `${path}/${i}`));
  const appended = after.slice(before.length);
  if (after.length > before.length && isDeepStrictEqual(before, after.slice(0, before.length)))
    return appended.map((value) => ({ op: 'add', path: `${path}/-`, value }));
  return [{ op: 'replace', path, value: after }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
