import { parseJSON } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { ObjectAttributes, ObjectRecord } from './interfaces.ts';

/** Parses the JSON of a record into an object of its own. */
export type ParseObject = (json: Uint8Array) => KubeObject;

/** JSON.parse of UTF-8 bytes. */
export function parseJSONObject(json: Uint8Array): KubeObject {
  const bytes = Buffer.isBuffer(json) ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  return parseJSON(bytes.toString('utf8')) as KubeObject;
}

/**
 * The record class of all codecs, so that code over records sees one shape. Keeps bytes and attributes, no parsed
 * object.
 */
export class JSONRecord implements ObjectRecord {
  readonly key: string;
  readonly revision: number;
  readonly json: Uint8Array;
  readonly attributes: ObjectAttributes;
  readonly #parse: ParseObject;

  constructor(
    key: string,
    revision: number,
    content: { readonly json: Uint8Array; readonly attributes: ObjectAttributes; readonly parse: ParseObject },
  ) {
    this.key = key;
    this.revision = revision;
    this.json = content.json;
    this.attributes = content.attributes;
    this.#parse = content.parse;
  }

  object(): KubeObject {
    return this.#parse(this.json);
  }
}
