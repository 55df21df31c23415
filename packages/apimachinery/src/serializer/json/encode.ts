import type { KubeObject } from '../../object/object.ts';
import type { Schema } from '../../schema/schema.ts';
import { escapeHTML } from '../../errors/go-format.ts';
import { stringifyJSON, stringifyObject } from './stringify.ts';
import { IndexKeysError, sortedForm, storedForm, wireForm, type KeyOrder } from './wire-form.ts';

/** The quick order of keys is wrong where a key with one of the first and a key with one of the others are compared. */
const SURROGATE = /[\ud800-\udfff]/;
const BEHIND_SURROGATES = /[\ue000-\uffff]/;

/**
 * The object as compact JSON, without a trailing newline.
 *
 * With a built-in's schema: `kind`, `apiVersion`, `metadata` first, then Go's field order with Go's zero
 * values filled in, empty omitempty fields left out, map keys sorted, unknown fields dropped. Without one all
 * keys are sorted, as for unstructured objects. Equal objects give equal bytes. The object is not modified.
 */
export function encodeJSON(object: KubeObject, schema?: Schema): Buffer {
  return Buffer.from(encodeJSONText(object, schema), 'utf8');
}

/**
 * As encodeJSON, for storage: a kind with a protobuf form is written as it would come back from there. Empty lists
 * and maps of fields that Go always writes become `null`.
 */
export function encodeStoredJSON(object: KubeObject, schema?: Schema): Buffer {
  if (schema?.kind !== 'struct' || schema.protobufMessage === undefined) return encodeJSON(object, schema);
  return Buffer.from(escapeHTML(inOrder((order) => stringifyObject(storedForm(object, schema, order)))), 'utf8');
}

/**
 * The data that encodeStoredJSON writes: what a dry run answers. Shares unchanged parts with the object, which is not
 * modified.
 */
export function toStoredForm(object: KubeObject, schema?: Schema): KubeObject {
  return schema?.kind !== 'struct' || schema.protobufMessage === undefined
    ? object
    : (storedForm(object, schema) as KubeObject);
}

/** Plain data as compact JSON, keys in the order that they have. */
export function dataText(value: unknown): string {
  return escapeHTML(stringifyObject(value));
}

/** encodeJSON as a string, for parts of a larger document. */
export function encodeJSONText(object: unknown, schema?: Schema): string {
  return escapeHTML(inOrder((order) => stringifyObject(formOf(object, schema, order))));
}

/** As encodeJSON, indented by two spaces as `?pretty=true` answers are; with a trailing newline never added. */
export function encodePrettyJSON(object: KubeObject, schema?: Schema): Buffer {
  return Buffer.from(escapeHTML(inOrder((order) => stringifyJSON(formOf(object, schema, order), 2))), 'utf8');
}

/** The data that encodeJSON writes: shares unchanged parts with the object, which is not modified. */
export function toWireForm(object: unknown, schema?: Schema): unknown {
  return formOf(object, schema, 'exact');
}

function formOf(object: unknown, schema: Schema | undefined, order: KeyOrder): unknown {
  return schema === undefined || schema.kind === 'any' ? sortedForm(object, order) : wireForm(object, schema, order);
}

/**
 * Writes with the quick order, and again with an exact one where there is any text, or a map with keys like indexes,
 * for which it matters.
 */
function inOrder(write: (order: KeyOrder) => string): string {
  try {
    const text = write('quick');
    return SURROGATE.test(text) && BEHIND_SURROGATES.test(text) ? write('exact') : text;
  } catch (error) {
    if (!(error instanceof IndexKeysError)) throw error;
    return withoutMark(write);
  }
}

/** Writes with a mark before keys that look like indexes, which no text has, and takes it out again. */
function withoutMark(write: (order: KeyOrder) => string): string {
  const plain = write('exact');
  let mark = '\ue000';
  while (plain.includes(mark)) mark += '\ue001';
  return write({ mark }).replaceAll(`"${mark}`, '"');
}
