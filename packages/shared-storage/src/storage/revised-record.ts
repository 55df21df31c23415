import type { KubeObject } from '@kubechain/apimachinery';
import type { ObjectAttributes, ObjectRecord } from './interfaces.ts';
import { StorageError } from './errors.ts';
import { ownBytes } from './own-bytes.ts';

/**
 * The same object under another revision: what a watcher gets when an object leaves its selection, whose DELETED event
 * has the object as it was and the resourceVersion of the change. The bytes are spliced, not encoded again.
 */
export class RevisedRecord implements ObjectRecord {
  readonly key: string;
  readonly revision: number;
  readonly json: Uint8Array;
  readonly attributes: ObjectAttributes;
  readonly #source: ObjectRecord;

  constructor(source: ObjectRecord, revision: number) {
    this.key = source.key;
    this.revision = revision;
    this.attributes = source.attributes;
    this.json = spliceResourceVersion(source, revision);
    this.#source = source;
  }

  object(): KubeObject {
    const object = this.#source.object();
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(this.revision) } };
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const COLON = 0x3a;

function spliceResourceVersion(source: ObjectRecord, revision: number): Uint8Array {
  const json = source.json;
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  const metadata = findMember(bytes, 0, 'metadata');
  const value = metadata < 0 ? -1 : findMember(bytes, metadata, 'resourceVersion');
  if (value < 0 || bytes[value] !== QUOTE)
    throw new StorageError('Internal', 'record has no metadata.resourceVersion', { key: source.key });
  const end = bytes.indexOf(QUOTE, value + 1);
  return ownBytes(
    Buffer.concat([bytes.subarray(0, value + 1), Buffer.from(String(revision), 'latin1'), bytes.subarray(end)]),
  );
}

/** Offset of the value of a member of the object that begins at or after `start`; -1 when it has none of that name. */
function findMember(bytes: Buffer, start: number, name: string): number {
  let depth = 0;
  let i = start;
  for (; i < bytes.length; i++) {
    const byte = bytes[i]!;
    if (byte === QUOTE) {
      const begin = i + 1;
      i = stringEnd(bytes, begin);
      if (depth !== 1) continue;
      const colon = skipSpace(bytes, i + 1);
      if (bytes[colon] === COLON && bytes.toString('latin1', begin, i) === name) return skipSpace(bytes, colon + 1);
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
    else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
      if (depth === 0) return -1;
    }
  }
  return -1;
}

/** Offset of the quote that ends the string whose content begins at `begin`. */
function stringEnd(bytes: Buffer, begin: number): number {
  let i = begin;
  while (i < bytes.length && bytes[i] !== QUOTE) i += bytes[i] === BACKSLASH ? 2 : 1;
  return i;
}

function skipSpace(bytes: Buffer, begin: number): number {
  let i = begin;
  while (bytes[i] === 0x20 || bytes[i] === 0x0a || bytes[i] === 0x0d || bytes[i] === 0x09) i++;
  return i;
}
