import type { KubeObject, ObjectMeta } from '@kubechain/apimachinery';
import { messageOf } from '@kubechain/apimachinery';
import { isAsEncoded } from './as-encoded.ts';
import { codecCounters } from './codec-counters.ts';
import { StorageError } from './errors.ts';
import type { ObjectAttributes, ObjectRecord, ResourceCodec } from './interfaces.ts';
import { JSONRecord, parseJSONObject } from './json-record.ts';
import type { ParseObject } from './json-record.ts';
import { ownBytes } from './own-bytes.ts';
import { recentlyEncoded } from './recently-encoded.ts';
import { nullText, UnusualNull } from './unusual-null.ts';

/** What `createResourceCodec` needs to know about a resource. */
export interface ResourceCodecHooks {
  /**
   * Stored bytes → object in memory version (any stored version, JSON or protobuf; defaults, pruning). Errors become
   * `CorruptObject`.
   */
  decodeObject(stored: Uint8Array): KubeObject;
  /** Object in memory version → bytes to store. Must be deterministic; gets no resourceVersion. */
  encodeObject(object: KubeObject): Uint8Array;
  /** Name, namespace, labels and selectable fields. */
  attributes(object: KubeObject): ObjectAttributes;
  /**
   * Set when stored JSON of this kind and apiVersion is already the memory version's JSON, so that its bytes can be
   * served as they are (with resourceVersion put in). Leave out when reading must convert, prune or default.
   */
  readonly memory?: {
    readonly kind: string;
    readonly apiVersion: string;
    /**
     * Members that may be `null` in what is served as it is; bytes with others are decoded: somebody else wrote them.
     * Asked once, when there are first bytes. Default: any.
     */
    readonly nulls?: () => ReadonlySet<string>;
    /** Whether bytes may be served as they are in spite of what they say; those of others are decoded. Default: yes. */
    readonly isComplete?: (stored: Buffer) => boolean;
    /**
     * Whether what was parsed is as this kind's decoder would make it; bytes of others are decoded, which says what is
     * wrong with them. Not asked of what was just encoded. Default: yes.
     */
    readonly fits?: (parsed: KubeObject) => boolean;
  };
  /** Memory version → JSON, where stored bytes cannot be served. Default: JSON.stringify. */
  stringify?(object: KubeObject): Uint8Array;
  /** Memory JSON → object. Default: JSON.parse. */
  parse?: ParseObject;
  /** The same of bytes with an unusual `null`, without any. Default: as `parse`. */
  parseUnusual?: ParseObject;
}

const newline = 0x0a;
const closeBrace = 0x7d;

/** Makes the codec of one resource. Keeps no reference to the objects it is given. */
export function createResourceCodec(hooks: ResourceCodecHooks): ResourceCodec {
  return new HookedCodec(hooks);
}

class HookedCodec implements ResourceCodec {
  readonly #hooks: ResourceCodecHooks;
  /** What bytes that can be spliced begin with; undefined = never splice. */
  readonly #prefix: Buffer | undefined;
  /** Bytes with one are not served as they are. */
  #unusual: UnusualNull | undefined;
  readonly #parse: ParseObject;

  constructor(hooks: ResourceCodecHooks) {
    this.#hooks = hooks;
    this.#prefix =
      hooks.memory === undefined
        ? undefined
        : ownBytes(
            Buffer.from(
              `{"kind":${JSON.stringify(hooks.memory.kind)},` +
                `"apiVersion":${JSON.stringify(hooks.memory.apiVersion)},"metadata":{`,
            ),
          );
    this.#parse = hooks.parse ?? parseJSONObject;
  }

  decode(key: string, value: Uint8Array, revision: number): ObjectRecord {
    const stored = Buffer.isBuffer(value) ? value : Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    try {
      return recentlyEncoded.record(this, { key, value: stored, revision }, (attributes) =>
        attributes === undefined
          ? this.#decode(key, stored, revision)
          : this.#record(key, revision, { json: this.#splice(stored, revision), attributes }),
      );
    } catch (cause) {
      if (cause instanceof StorageError) throw cause;
      throw new StorageError('CorruptObject', messageOf(cause), { key, cause });
    }
  }

  encode(object: KubeObject): Uint8Array {
    codecCounters.encodes++;
    const encoded = this.#hooks.encodeObject(withoutResourceVersion(object));
    const value = Buffer.isBuffer(encoded)
      ? encoded
      : Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
    recentlyEncoded.add(this, value, this.#attributesOf(object, value));
    return value;
  }

  recordOf(
    key: string,
    written: { readonly object: KubeObject; readonly value: Uint8Array; readonly revision: number },
  ): ObjectRecord {
    const { object, revision } = written;
    const value = Buffer.from(written.value.buffer, written.value.byteOffset, written.value.byteLength);
    return recentlyEncoded.record(this, { key, value, revision }, (known) => {
      const attributes = known ?? this.#attributesOf(object, value);
      return attributes === undefined
        ? this.#decode(key, value, revision)
        : this.#record(key, revision, { json: this.#splice(value, revision), attributes });
    });
  }

  storesAs(record: ObjectRecord, value: Uint8Array): boolean {
    const stored = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    if (!this.#canSplice(stored))
      return Buffer.compare(recentlyEncoded.value(record) ?? this.encode(record.object()), stored) === 0;
    const { json } = record;
    const { at, length, member } = this.#place(stored, record.revision);
    const end = at + member.length;
    return (
      json.length === length + member.length &&
      stored.compare(json, 0, at, 0, at) === 0 &&
      stored.compare(json, end, json.length, at, length) === 0 &&
      Buffer.from(json.buffer, json.byteOffset, json.byteLength).toString('latin1', at, end) === member
    );
  }

  /**
   * What a record of these bytes, just encoded, says of the object; undefined for bytes that are not served as they
   * are: what the encoder has dropped of the object would differ from what the next reader sees.
   */
  #attributesOf(object: KubeObject, value: Buffer): ObjectAttributes | undefined {
    const { metadata } = object;
    if (!this.#canSplice(value) || (metadata !== undefined && !hasUsualTimes(metadata))) return undefined;
    const { fields, labels, name, namespace } = this.#hooks.attributes(object);
    // The caller owns the object and may change it.
    return { name, namespace, labels: labels === undefined ? undefined : { ...labels }, fields };
  }

  #decode(key: string, stored: Buffer, revision: number): ObjectRecord {
    if (!this.#canSplice(stored)) return this.#read(key, stored, revision);
    codecCounters.decodes++;
    const object = this.#parse(stored);
    const { metadata } = object;
    if (metadata !== undefined && (metadata.resourceVersion !== undefined || !hasUsualTimes(metadata)))
      return this.#read(key, stored, revision);
    if (this.#hooks.memory?.fits?.(object) === false || !isAsEncoded(stored.subarray(0, trimmedLength(stored)), object))
      return this.#read(key, stored, revision);
    return this.#record(key, revision, {
      json: this.#splice(stored, revision),
      attributes: this.#hooks.attributes(object),
      parsed: object,
    });
  }

  /** Bytes that cannot be served as they are. */
  #read(key: string, stored: Buffer, revision: number): ObjectRecord {
    codecCounters.decodes++;
    const object = this.#hooks.decodeObject(stored);
    const attributes = this.#hooks.attributes(object);
    const parse = this.#hasPrefix(stored) ? this.#hooks.parseUnusual : undefined;
    return this.#record(key, revision, { json: this.#stringify(object, revision), attributes, parse });
  }

  #record(
    key: string,
    revision: number,
    content: {
      json: Uint8Array;
      attributes: ObjectAttributes;
      parse?: ParseObject | undefined;
      parsed?: KubeObject;
    },
  ): JSONRecord {
    return new JSONRecord(key, revision, {
      json: ownBytes(content.json),
      attributes: content.attributes,
      parse: content.parse ?? this.#parse,
      parsed: content.parsed,
    });
  }

  #canSplice(stored: Buffer): boolean {
    if (!this.#hasPrefix(stored) || this.#hooks.memory?.isComplete?.(stored) === false) return false;
    const nulls = this.#hooks.memory?.nulls;
    // Few objects have any null, and custom ones may have all.
    if (nulls === undefined || !stored.includes(nullText)) return true;
    this.#unusual ??= new UnusualNull(nulls());
    return !this.#unusual.isIn(stored);
  }

  #hasPrefix(stored: Buffer): boolean {
    const prefix = this.#prefix;
    return (
      prefix !== undefined &&
      stored.length > prefix.length &&
      stored.compare(prefix, 0, prefix.length, 0, prefix.length) === 0
    );
  }

  #emptyMetadata(stored: Buffer): boolean {
    return stored[this.#prefix?.length ?? 0] === closeBrace;
  }

  /**
   * `…"metadata":{"name":…,"uid":"…"` + `,"resourceVersion":"N"` + the rest, without the newline that Go's encoder ends
   * with: the place that Go's encoder gives it.
   */
  #splice(stored: Buffer, revision: number): Buffer {
    const { at, length, member } = this.#place(stored, revision);
    // Not out of the pool: records are kept.
    const json = Buffer.allocUnsafeSlow(length + member.length);
    stored.copy(json, 0, 0, at);
    json.write(member, at, 'latin1');
    stored.copy(json, at + member.length, at, length);
    return json;
  }

  /** Where the resourceVersion goes in stored bytes, what it is written as, and how many of the bytes there are. */
  #place(stored: Buffer, revision: number): { readonly at: number; readonly member: string; readonly length: number } {
    const first = this.#prefix?.length ?? 0;
    const at = afterIdentity(stored, first);
    const member =
      at === first ? resourceVersionMember(revision, !this.#emptyMetadata(stored)) : `,"resourceVersion":"${revision}"`;
    return { at, member, length: trimmedLength(stored) };
  }

  #stringify(object: KubeObject, revision: number): Uint8Array {
    codecCounters.encodes++;
    const versioned: KubeObject = { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
    return this.#hooks.stringify === undefined
      ? Buffer.from(JSON.stringify(versioned))
      : this.#hooks.stringify(versioned);
  }
}

const quote = 0x22;
const backslash = 0x5c;
const commaByte = 0x2c;
/** Members of ObjectMeta that Go writes before resourceVersion. */
const identity = ['"name":"', '"generateName":"', '"namespace":"', '"uid":"'].map((text) =>
  Buffer.from(text, 'latin1'),
);

/** Where the members of metadata that come before resourceVersion end; `first` when there are none. */
function afterIdentity(json: Buffer, first: number): number {
  let end = first;
  for (const member of identity) {
    const begin = end === first ? first : end + 1;
    if (end !== first && json[end] !== commaByte) return end;
    const value = begin + member.length;
    if (value > json.length || json.compare(member, 0, member.length, begin, value) !== 0) continue;
    let i = value;
    while (i < json.length && json[i] !== quote) i += json[i] === backslash ? 2 : 1;
    end = i + 1;
  }
  return end;
}

function resourceVersionMember(revision: number, more: boolean): string {
  return more ? `"resourceVersion":"${revision}",` : `"resourceVersion":"${revision}"`;
}

function trimmedLength(stored: Buffer): number {
  return stored[stored.length - 1] === newline ? stored.length - 1 : stored.length;
}

/**
 * The object as it is stored: resourceVersion is the key's mod revision and never in the bytes. Does not change its
 * argument.
 */
function withoutResourceVersion(object: KubeObject): KubeObject {
  const metadata = object.metadata;
  if (metadata === undefined || (!('resourceVersion' in metadata) && !('selfLink' in metadata))) return object;
  // An object that a member was deleted from is slow to walk.
  const { resourceVersion: _resourceVersion, selfLink: _selfLink, ...stored } = metadata;
  return { ...object, metadata: stored };
}

/** As Go's encoder writes seconds, of days that there are in each year. */
const USUAL = new RegExp(
  String.raw`^\d{4}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)` +
    String.raw`T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$`,
);
/** The same of the day that some years have. */
const LEAP_DAY = /^\d{4}-02-29T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/;

/** Whether the times of creation and deletion are written as its encoder writes them; others are not served unread. */
export function hasUsualTimes({ creationTimestamp, deletionTimestamp }: ObjectMeta): boolean {
  return isUsual(creationTimestamp) && isUsual(deletionTimestamp);
}

function isUsual(time: unknown): boolean {
  if (time === undefined || time === null) return true;
  if (typeof time !== 'string') return false;
  return USUAL.test(time) || (LEAP_DAY.test(time) && isDay(time));
}

/** Whether the month has so many days. */
function isDay(time: string): boolean {
  const date = new Date(time);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(time.slice(0, -1));
}
