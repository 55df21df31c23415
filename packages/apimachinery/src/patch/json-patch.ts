import { badRequest, genericServerResponse, requestEntityTooLarge } from '../errors/constructors.ts';
import { FormatError } from '../errors/format-error.ts';
import { goQuote } from '../errors/go-format.ts';
import { countValues, manyValues } from '../serializer/json/many-values.ts';
import { limits } from '../limits/limits.ts';
import type { JSONValue } from '../object/object.ts';
import type { Schema } from '../schema/schema.ts';
import { jsonKind } from './go-types.ts';
import { cloneJSON, equalJSON, getKey, isJSONObject, setKey } from '../object/json-object.ts';
import type { JSONObject } from '../object/json-object.ts';
import { pointerKey } from './json-pointer.ts';
import { orderAlong } from './raw-order.ts';

/** A decoded RFC 6902 patch. Operations are not checked before they are applied. */
export type JSONPatch = readonly (JSONObject | null)[];

/**
 * Recognises a patch in a decoded body.
 *
 * `typed` says whether the types of `op`, `path` and `from` are checked, which the server does when it validates
 * fields (Warn and Strict); otherwise such operations fail later.
 *
 * @throws StatusError BadRequest for another shape, RequestEntityTooLarge for too many operations
 */
export function decodeJSONPatch(body: JSONValue, options: { readonly typed?: boolean } = {}): JSONPatch {
  const typed = options.typed ?? true;
  const refuse = (text: string): Error => badRequest(typed ? `error decoding patch: ${text}` : text);
  if (body === null) return [];
  if (!Array.isArray(body)) {
    throw refuse(
      `json: cannot unmarshal ${jsonKind(body)} into Go value of type ` +
        `${typed ? '[]handlers.jsonPatchOp' : 'jsonpatch.Patch'}`,
    );
  }
  for (const operation of body) {
    if (operation === null) continue;
    if (!isJSONObject(operation)) {
      throw refuse(
        `json: cannot unmarshal ${jsonKind(operation)} into Go value of type ` +
          `${typed ? 'handlers.jsonPatchOp' : 'jsonpatch.Operation'}`,
      );
    }
    if (!typed) continue;
    for (const member of ['op', 'path', 'from']) {
      const value = getKey(operation, member) ?? null;
      if (value !== null && typeof value !== 'string') {
        throw refuse(
          `json: cannot unmarshal ${jsonKind(value)} into Go struct field jsonPatchOp.${member} of type string`,
        );
      }
    }
  }
  if (body.length > limits.jsonPatchOperations.value) {
    throw requestEntityTooLarge(
      `The allowed maximum operations in a JSON patch is ${limits.jsonPatchOperations.value}, got ${body.length}`,
    );
  }
  return body as JSONPatch;
}

/**
 * Applies a patch to a JSON document; the document is left as it is.
 *
 * As the reference's library (evanphx/json-patch v4) does it, which is more lenient than RFC 6902: `replace`, `test`
 * and `copy` read an absent key of an object as null, negative indexes count from the end, and text before a path's
 * first slash is ignored. Raw JSON in the schema that a path leads through gets its keys sorted.
 *
 * @throws StatusError 422 without a hint at the reason; the reason is the error's `cause`
 */
export function applyJSONPatch(document: JSONValue, patch: JSONPatch, schema?: Schema): JSONValue {
  let root = cloneJSON(document);
  try {
    const work: Work = { copiedBytes: 0, copiedValues: 0, movedItems: 0 };
    for (const operation of patch) root = applyOperation(root, operation ?? {}, work);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    const refused = genericServerResponse(422, '', { serverMessage: error.message });
    refused.cause = error;
    throw refused;
  }
  if (schema !== undefined) {
    for (const operation of patch) {
      for (const path of [operation?.['path'], operation?.['from']])
        if (typeof path === 'string') orderAlong(root, path, schema);
    }
  }
  return root;
}

/** How much the operations of a patch have done so far. */
interface Work {
  copiedBytes: number;
  copiedValues: number;
  movedItems: number;
}

function applyOperation(root: JSONValue, operation: JSONObject, work: Work): JSONValue {
  const kind = getKey(operation, 'op');
  switch (kind) {
    case 'add':
      addValue(root, operation, work);
      return root;
    case 'remove':
      removeValue(root, operation, work);
      return root;
    case 'replace':
      return replace(root, operation);
    case 'move':
      moveValue(root, operation, work);
      return root;
    case 'copy':
      copyValue(root, operation, work);
      return root;
    case 'test':
      testValue(root, operation);
      return root;
    default:
      throw new FormatError(`Unexpected kind: ${typeof kind === 'string' ? kind : 'unknown'}`);
  }
}

function addValue(root: JSONValue, operation: JSONObject, work: Work): void {
  const path = pathOf(operation, 'path', 'add operation failed to decode path: missing value');
  add(root, work, {
    path,
    value: valueOf(operation),
    missing: `add operation does not apply: doc is missing path: "${path}": missing value`,
    doing: `in add for path: '${path}'`,
  });
}

function removeValue(root: JSONValue, operation: JSONObject, work: Work): void {
  const path = pathOf(operation, 'path', 'remove operation failed to decode path: missing value');
  const target = located(root, path, `remove operation does not apply: doc is missing path: "${path}": missing value`);
  during(`in remove for path: '${path}'`, () => {
    remove(target, work);
  });
}

function moveValue(root: JSONValue, operation: JSONObject, work: Work): void {
  const from = pathOf(
    operation,
    'from',
    'move operation failed to decode from: operation, missing from field: missing value',
  );
  const source = located(root, from, `move operation does not apply: doc is missing from path: ${from}: missing value`);
  const value = during(`in move for path: '${source.key}'`, () => {
    const moved = read(source);
    remove(source, work);
    return moved;
  });
  const path = pathOf(
    operation,
    'path',
    'move operation failed to decode path: operation missing path field: missing value',
  );
  add(root, work, {
    path,
    value,
    missing: `move operation does not apply: doc is missing destination path: ${path}: missing value`,
    doing: `in move for path: '${path}'`,
  });
}

function copyValue(root: JSONValue, operation: JSONObject, work: Work): void {
  const from = pathOf(
    operation,
    'from',
    'copy operation failed to decode from: operation, missing from field: missing value',
  );
  const source = located(root, from, `copy operation does not apply: doc is missing from path: ${from}: missing value`);
  const value = during(`in copy for from: '${from}'`, () => read(source));
  const path = pathOf(operation, 'path', 'copy operation failed to decode path: missing value');
  countCopy(work, value);
  add(root, work, {
    path,
    value: cloneJSON(value),
    missing: `copy operation does not apply: doc is missing destination path: ${path}: missing value`,
    doing: 'while adding value during copy',
  });
}

function testValue(root: JSONValue, operation: JSONObject): void {
  const path = pathOf(
    operation,
    'path',
    'test operation failed to decode path: operation missing path field: missing value',
  );
  let value = root;
  if (path !== '') {
    const target = located(root, path, `test operation does not apply: is missing path: ${path}: missing value`);
    value = during(`in test for path: '${path}'`, () => read(target));
  }
  if (!equalJSON(value, getKey(operation, 'value') ?? null))
    throw new FormatError(`testing value ${path} failed: test failed`);
}

/** @throws FormatError `missing` when the document has nothing that the path could lead into */
function located(root: JSONValue, path: string, missing: string): Target {
  const target = locate(root, path);
  if (target === undefined) throw new FormatError(missing);
  return target;
}

function countCopy(work: Work, value: JSONValue): void {
  const text = Buffer.from(
    JSON.stringify(value, (_, one: unknown) => (typeof one === 'bigint' ? one.toString() : one)),
  );
  work.copiedBytes += text.length;
  const limit = limits.jsonPatchCopies.value;
  if (work.copiedBytes > limit)
    throw new FormatError(
      `Unable to complete the copy, the accumulated size increase of copy is ${work.copiedBytes}, exceeding ` +
        `the limit ${limit}`,
    );
  work.copiedValues += countValues(text);
  if (work.copiedValues > limits.bodyValues.value) throw manyValues();
}

/** Counts the items of a list that move because one is put in or taken out before them. */
function countMoves(work: Work, list: readonly JSONValue[], index: number): void {
  work.movedItems += list.length - index;
  if (work.movedItems > limits.jsonPatchMoves.value)
    throw requestEntityTooLarge(
      `The allowed maximum of list items that a JSON patch moves is ${limits.jsonPatchMoves.value}`,
    );
}

function replace(root: JSONValue, operation: JSONObject): JSONValue {
  const path = pathOf(
    operation,
    'path',
    'replace operation failed to decode path: operation missing path field: missing value',
  );
  const value = valueOf(operation);
  if (path === '') {
    if (typeof value !== 'object' || value === null)
      throw new FormatError('replace operation value must be object or array');
    return value;
  }
  const target = locate(root, path);
  if (target === undefined)
    throw new FormatError(`replace operation does not apply: doc is missing path: ${path}: missing value`);
  if (Array.isArray(target.container)) target.container[replacedIndex(target.container, target.key, path)] = value;
  else setKey(target.container, target.key, value);
  return root;
}

function replacedIndex(list: readonly JSONValue[], key: string, path: string): number {
  try {
    return indexIn(list, key);
  } catch (error) {
    throw error instanceof FormatError
      ? new FormatError(`replace operation does not apply: doc is missing key: ${path}: missing value`, {
          cause: error,
        })
      : error;
  }
}

/** Says what was being done when a value could not be reached. */
function during<T>(doing: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof FormatError ? new FormatError(`error ${doing}: ${error.message}`, { cause: error }) : error;
  }
}

function pathOf(operation: JSONObject, member: 'path' | 'from', missing: string): string {
  const path = getKey(operation, member);
  if (typeof path !== 'string') throw new FormatError(missing);
  return path;
}

function valueOf(operation: JSONObject): JSONValue {
  return cloneJSON(getKey(operation, 'value') ?? null);
}

interface Target {
  readonly container: JSONObject | JSONValue[];
  readonly key: string;
}

/** The container that a path's last step is in; `undefined` when a step before leads nowhere. */
function locate(root: JSONValue, path: string): Target | undefined {
  const steps = path.split('/');
  const last = steps.pop();
  if (steps.length === 0 || last === undefined) return undefined;
  let at: JSONValue | undefined = root;
  for (const step of steps.slice(1)) {
    const key = pointerKey(step);
    let next: JSONValue | undefined;
    if (Array.isArray(at)) next = integer(key) === undefined ? undefined : at.at(integer(key) ?? 0);
    else if (isJSONObject(at)) next = getKey(at, key);
    else return undefined;
    // Managed fields are shared with other objects.
    if (typeof next === 'object' && next !== null && Object.isFrozen(next)) {
      next = structuredClone(next);
      if (Array.isArray(at)) at[indexIn(at, key)] = next;
      else setKey(at, key, next);
    }
    at = next;
  }
  return typeof at === 'object' && at !== null ? { container: at, key: pointerKey(last) } : undefined;
}

/** As strconv.Atoi. */
function integer(text: string): number | undefined {
  return /^[+-]?[0-9]+$/.test(text) ? Number(text) : undefined;
}

function indexIn(list: readonly JSONValue[], key: string): number {
  const index = integer(key);
  if (index === undefined) throw new FormatError(`strconv.Atoi: parsing "${key}": invalid syntax`);
  if (index >= list.length || index < -list.length)
    throw new FormatError(`Unable to access invalid index: ${index}: invalid index referenced`);
  return index < 0 ? index + list.length : index;
}

function read(target: Target): JSONValue {
  if (Array.isArray(target.container)) return target.container[indexIn(target.container, target.key)] ?? null;
  return getKey(target.container, target.key) ?? null;
}

function remove(target: Target, work: Work): void {
  if (Array.isArray(target.container)) {
    const index = indexIn(target.container, target.key);
    countMoves(work, target.container, index);
    target.container.splice(index, 1);
  } else if (!Object.hasOwn(target.container, target.key))
    throw new FormatError(`Unable to remove nonexistent key: ${target.key}: missing value`);
  else delete target.container[target.key];
}

interface Addition {
  readonly path: string;
  readonly value: JSONValue;
  /** What is said where the path leads nowhere. */ readonly missing: string;
  readonly doing: string;
}

function add(root: JSONValue, work: Work, { doing, missing, path, value }: Addition): void {
  const target = locate(root, path);
  if (target === undefined) throw new FormatError(missing);
  during(doing, () => {
    addTo(target, value, work);
  });
}

function addTo({ container, key }: Target, value: JSONValue, work: Work): void {
  if (!Array.isArray(container)) return setKey(container, key, value);
  if (key === '-') return void container.push(value);
  const index = integer(key);
  if (index === undefined)
    throw new FormatError(
      `value was not a proper array index: '${key}': strconv.Atoi: parsing ${goQuote(key)}: invalid syntax`,
    );
  const size = container.length + 1;
  if (index >= size || index < -size)
    throw new FormatError(`Unable to access invalid index: ${index}: invalid index referenced`);
  const at = index < 0 ? index + size : index;
  countMoves(work, container, at);
  container.splice(at, 0, value);
}
