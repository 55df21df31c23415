import type { ListMetadata } from './encode-table.ts';
import {
  PROTOBUF_PREFIX,
  builtinScheme,
  decodeJSON,
  encodeProtobuf,
  encodeProtobufMessage,
  gvkOf,
  hasProtobuf,
  limits,
  schemaFor,
} from '@kubechain/apimachinery';
import type { KubeObject, Schema } from '@kubechain/apimachinery';
import { WireWriter } from '@kubechain/apimachinery/wire';
import { ownBytes } from '@kubechain/shared-storage';
import { isRecord } from '../../../registry/rest/result.ts';
import type { RESTResult } from '../../../registry/rest/storage.ts';
import type { Turns } from '../../../request/turns.ts';
import { representationNotAcceptable } from '../../../negotiation/errors.ts';
import { toServedVersion } from '../decode-body.ts';
import type { RequestScope } from '../request-scope.ts';
import { encodePartialMetadata } from './transform.ts';
import type { MetaVersion } from './transform.ts';

/** About what the metadata of an object have. */
const METADATA_BYTES = 1_024;
/** Of an item in a list: its tag and a length below 2^35. */
const LENGTH_PREFIX_BYTES = 6;

/**
 * An object as `application/vnd.kubernetes.protobuf`: one of the scope's kind, a Status, or one of the meta kinds.
 * @throws StatusError 406 when its type has no protobuf form
 */
export function encodeProtobufObject(object: KubeObject, scope?: RequestScope): Buffer {
  const own = scope !== undefined && object.kind === scope.kind.kind && object.apiVersion === scope.apiVersion;
  const schema = own ? scope.kindInfo.schema : metaSchema(object);
  if (schema === undefined || !hasProtobuf(schema)) throw noProtobuf(object.kind);
  return encodeProtobuf(object, schema);
}

/** The same of an object that is at hand as JSON only. */
function jsonToProtobuf(json: Uint8Array): Buffer {
  return encodeProtobufObject(decodeJSON(json, undefined).object);
}

/** A result in the served version, enveloped. */
export function encodeProtobufResult(scope: RequestScope, result: RESTResult): Buffer | Promise<Buffer> {
  const served = servedObject(scope, result);
  return served instanceof Promise
    ? served.then((object) => encodeProtobufObject(object, scope))
    : encodeProtobufObject(served, scope);
}

/** What a list is made of besides its items. */
export interface ProtobufListHead {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: object;
}

/**
 * A list in pieces that are to be sent one after the other: envelope, metadata and the items, each encoded on its own.
 * All lists of the API have the fields `metadata = 1` and `items = 2`.
 */
export async function encodeProtobufList(
  scope: RequestScope,
  head: ProtobufListHead,
  { items, turns }: { readonly items: readonly RESTResult[]; readonly turns: Turns },
): Promise<ProtobufList> {
  if (!hasProtobuf(scope.kindInfo.schema)) throw noProtobuf(head.kind);
  const messages = new ListMessages((item) => itemMessage(scope, item));
  for (const item of items) {
    const message = messages.make(item);
    const bytes = message instanceof Promise ? await message : message;
    messages.add(item, bytes);
    const turn = turns.nextAfter(bytes.length);
    if (turn !== undefined) await turn;
  }
  return listOf(head, messages, turns);
}

/** The same of objects reduced to their metadata. */
export async function encodeProtobufMetadataList(
  scope: RequestScope,
  version: MetaVersion,
  { list, turns }: { readonly list: { readonly items: readonly RESTResult[] }; readonly turns: Turns },
): Promise<ProtobufList> {
  const make = (item: RESTResult): Buffer => metadataMessage(scope, item);
  const messages = new ListMessages(make);
  for (const item of list.items) {
    messages.add(item, make(item));
    const turn = turns.nextAfter(isRecord(item) ? item.json.length : METADATA_BYTES);
    // oxlint-disable-next-line no-await-in-loop -- one after another, so that others are served
    if (turn !== undefined) await turn;
  }
  return listOf(
    { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata: list },
    messages,
    turns,
  );
}

/** Owners of reduced objects in their envelopes among the views of a record. */
const envelopes: Readonly<Record<MetaVersion, object>> = { v1: {}, v1beta1: {} };

/** An object reduced to its metadata, enveloped. That of a record is kept with it: all watchers get the same. */
export function encodeProtobufMetadata(scope: RequestScope, result: RESTResult, version: MetaVersion): Buffer {
  const encode = (): Buffer => jsonToProtobuf(encodePartialMetadata(scope, result, version));
  if (!isRecord(result)) return encode();
  return scope.views.get(result, envelopes[version], () => {
    const value = ownBytes(encode());
    return { value, bytes: value.length };
  });
}

/** Whoever owns the messages of reduced objects among the views of a record. */
const metadataMessages = {};

/** The message of one reduced object, which is the same in all versions of the form. */
function metadataMessage(scope: RequestScope, item: RESTResult): Buffer {
  const encode = (): Buffer => {
    const { object } = decodeJSON(encodePartialMetadata(scope, item, 'v1'), undefined);
    return encodeProtobufMessage(object, schemaFor('io.k8s.apimachinery.pkg.apis.meta.v1.PartialObjectMetadata'));
  };
  if (!isRecord(item)) return encode();
  return scope.views.get(item, metadataMessages, () => {
    const message = ownBytes(encode());
    return { value: message, bytes: message.length };
  });
}

/** One item of a list; `bytes`: its message, undefined where that is made again. `size`: how many these are. */
interface ProtobufMessage {
  readonly item: RESTResult;
  readonly size: number;
  readonly bytes: Buffer | undefined;
}

/** The messages of a list, as far as they may be kept. */
class ListMessages {
  readonly make: (item: RESTResult) => Buffer | Promise<Buffer>;
  readonly all: ProtobufMessage[] = [];
  #bytes = 0;

  constructor(make: (item: RESTResult) => Buffer | Promise<Buffer>) {
    this.make = make;
  }

  add(item: RESTResult, bytes: Buffer): void {
    this.#bytes += bytes.length;
    this.all.push({
      item,
      size: bytes.length,
      bytes: this.#bytes > limits.protobufKept.value ? undefined : bytes,
    });
  }
}

/** A list in pieces that are to be sent one after the other. `size`: bytes of all of them. */
export interface ProtobufList {
  readonly size: number;
  /** Undefined where there would be too much to keep. */
  readonly parts: readonly Uint8Array[] | undefined;
  /** The same, made while it is sent. */
  readonly made: () => AsyncGenerator<Uint8Array>;
}

function listOf(head: ProtobufListHead, messages: ListMessages, turns: Turns): ProtobufList {
  const { all: items } = messages;
  let size = 0;
  const tags: Buffer[] = [];
  for (const item of items) {
    const tag = lengthPrefix(item.size);
    tags.push(tag);
    size += tag.length + item.size;
  }
  // What stands before the items, from its end: metadata, the list's tag and length, TypeMeta, the prefix.
  const start = new WireWriter();
  start.bytesField(0x0a, encodeProtobufMessage(withShardInfo(head.metadata), listMetaSchema()));
  start.varint(size + start.length);
  start.byte(0x12);
  const before = start.length;
  start.textField(0x12, head.kind);
  start.textField(0x0a, head.apiVersion);
  start.close(0x0a, before);
  start.raw(PROTOBUF_PREFIX);
  const begin = start.finish();
  // Content encoding and content type follow the raw bytes, empty.
  const end = Buffer.from([0x1a, 0, 0x22, 0]);
  const parts: Uint8Array[] = [begin];
  for (const [i, { bytes }] of items.entries()) if (bytes !== undefined) parts.push(tags[i] as Buffer, bytes);
  const isWhole = parts.length === 1 + 2 * items.length;
  parts.push(end);
  const made = async function* made(): AsyncGenerator<Uint8Array> {
    yield begin;
    for (const [i, { bytes, item }] of items.entries()) {
      yield tags[i] as Buffer;
      const message = bytes ?? (await messages.make(item));
      yield message;
      const turn = turns.nextAfter(message.length);
      // oxlint-disable-next-line no-await-in-loop -- one after another, so that others are served
      if (turn !== undefined) await turn;
    }
    yield end;
  };
  return { size: begin.length + size + end.length, parts: isWhole ? parts : undefined, made };
}

/** The message of one item. That of a record in the served version is kept with it: informers list the same objects. */
function itemMessage(scope: RequestScope, item: RESTResult): Buffer | Promise<Buffer> {
  const { schema } = scope.kindInfo;
  if (isRecord(item) && scope.servesRecords)
    return scope.views.get(item, scope.kindInfo, (record) => {
      // What a writer gives is a part of its whole buffer.
      const message = ownBytes(encodeProtobufMessage(record.object(), schema));
      return { value: message, bytes: message.length };
    });
  const served = servedObject(scope, item);
  return served instanceof Promise
    ? served.then((object) => encodeProtobufMessage(object, schema))
    : encodeProtobufMessage(served, schema);
}

/** A result as an object of the served version. */
export function servedObject(scope: RequestScope, result: RESTResult): KubeObject | Promise<KubeObject> {
  return toServedVersion(scope, isRecord(result) ? result.object() : result);
}

/**
 * Kinds that every group version has are registered once, with the core group; the forms of answers are no registered
 * kinds.
 */
function metaSchema(object: KubeObject): Schema | undefined {
  const gvk = gvkOf(object);
  if (gvk.group === 'meta.k8s.io' && (gvk.kind === 'PartialObjectMetadata' || gvk.kind === 'PartialObjectMetadataList'))
    return schemaFor(`io.k8s.apimachinery.pkg.apis.meta.v1.${gvk.kind}`);
  // The documents at /api come without apiVersion.
  return builtinScheme().kind(gvk.version === '' ? { group: '', version: 'v1', kind: gvk.kind } : gvk)?.schema;
}

/** The shard of a list as its metadata have it. */
function withShardInfo(metadata: object): object {
  const { shard } = metadata as ListMetadata;
  return shard === undefined ? metadata : { ...metadata, shardInfo: { selector: shard } };
}

function listMetaSchema(): Schema {
  const list = builtinScheme().kind({ group: '', version: 'v1', kind: 'ConfigMapList' })?.schema;
  const metadata = list?.kind === 'struct' ? list.fields.get('metadata')?.schema : undefined;
  if (metadata === undefined) throw noProtobuf('ListMeta');
  return metadata;
}

function noProtobuf(kind: string | undefined): Error {
  return representationNotAcceptable(
    `object ${kind ?? ''} does not implement the protobuf marshalling interface and cannot be encoded to a ` +
      'protobuf message',
  );
}

/** The tag of an item and the varint of its length. */
function lengthPrefix(length: number): Buffer {
  const writer = new WireWriter(LENGTH_PREFIX_BYTES);
  writer.varint(length);
  writer.byte(0x12);
  return writer.finish();
}
