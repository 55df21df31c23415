import { isPlainObject, parseJSON } from '@kubechain/apimachinery';
import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';
import type { ObjectAttributes, ObjectRecord } from './interfaces.ts';

/** Parses the JSON of a record into an object of its own. */
export type ParseObject = (json: Uint8Array) => KubeObject;

/** JSON.parse of UTF-8 bytes. */
export function parseJSONObject(json: Uint8Array): KubeObject {
  const bytes = Buffer.isBuffer(json) ? json : Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  return parseJSON(bytes.toString('utf8')) as KubeObject;
}

/**
 * The record that was made last of bytes that had to be parsed for it, and what they were parsed to: whoever follows a
 * resource asks for the object at once, and so need not parse it again. One for all resources, until the next is made.
 */
class NewestParsed {
  #record: JSONRecord | undefined;
  #object: KubeObject | undefined;

  remember(record: JSONRecord, object: KubeObject): void {
    this.#record = record;
    this.#object = object;
  }

  /** Once: it is the caller's then. */
  take(record: JSONRecord): KubeObject | undefined {
    if (this.#record !== record) return undefined;
    const object = this.#object;
    this.#record = this.#object = undefined;
    return object;
  }
}

const newestParsed = new NewestParsed();

/**
 * The record class of all codecs, so that code over records sees one shape. Keeps bytes and attributes, no parsed
 * object but the newest record's, until it is asked for.
 */
export class JSONRecord implements ObjectRecord {
  readonly key: string;
  readonly revision: number;
  readonly json: Uint8Array;
  readonly attributes: ObjectAttributes;
  readonly #parse: ParseObject;

  /**
   * `parsed`, without the resourceVersion that the JSON has, is remembered for the first who asks for the object, and
   * is nobody else's.
   */
  constructor(
    key: string,
    revision: number,
    content: {
      readonly json: Uint8Array;
      readonly attributes: ObjectAttributes;
      readonly parse: ParseObject;
      readonly parsed?: KubeObject | undefined;
    },
  ) {
    this.key = key;
    this.revision = revision;
    this.json = content.json;
    this.attributes = content.attributes;
    this.#parse = content.parse;
    if (content.parsed !== undefined) newestParsed.remember(this, content.parsed);
  }

  object(): KubeObject {
    const object = newestParsed.take(this);
    if (object === undefined) return this.#parse(this.json);
    object.metadata = withVersion(object.metadata ?? {}, this.revision);
    return object;
  }
}

/** Members of metadata that are written before resourceVersion. */
const identity: ReadonlySet<string> = new Set(['name', 'generateName', 'namespace', 'uid']);

/** With labels of its own: the record's attributes have those that were parsed. */
function withVersion(metadata: ObjectMeta, revision: number): ObjectMeta {
  const { labels } = metadata;
  const members: [string, unknown][] = Object.entries(
    isPlainObject(labels) ? { ...metadata, labels: { ...labels } } : metadata,
  );
  const after = members.findIndex(([name]) => !identity.has(name));
  members.splice(after < 0 ? members.length : after, 0, ['resourceVersion', String(revision)]);
  return Object.fromEntries(members);
}
