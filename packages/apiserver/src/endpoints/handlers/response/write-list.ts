import type { ListResult, ObjectRecord } from '@kubechain/shared-storage';
import { representationNotAcceptable } from '../../../negotiation/errors.ts';
import type { OutputMediaType } from '../../../negotiation/negotiate.ts';
import { wantsPretty } from '../../../negotiation/pretty.ts';
import type { Exchange } from '../exchange.ts';
import { auditText } from '../audit-objects.ts';
import { includeObjectOption } from '../parameters/table-options.ts';
import type { RequestScope } from '../request-scope.ts';
import { inBatches } from './batches.ts';
import { encodeFormat } from './encode-format.ts';
import { encodeProtobufList, encodeProtobufMetadataList } from './encode-protobuf.ts';
import { encodeListMetadata, tableParts } from './encode-table.ts';
import { serialized } from './serialized.ts';
import { appendPartialMetadata, encodeResult, startsWith } from './transform.ts';
import type { MetaVersion } from './transform.ts';
import { writeBody, writeChunks, writeJSON } from './write-bytes.ts';
import { internalGoType } from './write-result.ts';

export interface ListAnswer {
  readonly list: ListResult;
  readonly output: OutputMediaType;
}

/**
 * Sends a list in the representation that was negotiated. Records in the served version are joined from their bytes,
 * as the client takes them.
 */
export function writeList(scope: RequestScope, exchange: Exchange, answer: ListAnswer): Promise<void> {
  return serialized(exchange, answer.output, () => sendList(scope, exchange, answer));
}

async function sendList(scope: RequestScope, exchange: Exchange, answer: ListAnswer): Promise<void> {
  const { context, request } = exchange;
  const { list, output } = answer;
  const pretty =
    output.mediaType.format === 'json' && (output.pretty || wantsPretty(context.query, request.headers['user-agent']));
  const plainJSON = output.mediaType.format === 'json' && !pretty;
  const messages = output.mediaType.format === 'protobuf' ? await protobufParts(scope, exchange, answer) : undefined;
  if (messages !== undefined) {
    await writeParts(exchange, messages, output);
    return;
  }
  const parts =
    output.convert === undefined ? await listParts(scope, list) : await convertedParts(scope, exchange, answer);
  auditText(context, () => Buffer.concat(parts));
  if (!plainJSON) {
    await send(exchange, Buffer.concat(parts), { output, pretty });
    return;
  }
  parts.push(newline);
  await writeParts(exchange, parts, output);
}

/** A list in protobuf that needs no JSON; undefined where there is no such way. */
async function protobufParts(
  scope: RequestScope,
  { context }: Exchange,
  { list, output: { convert } }: ListAnswer,
): Promise<Uint8Array[] | undefined> {
  if (convert === undefined)
    return encodeProtobufList(
      scope,
      { kind: scope.listKind, apiVersion: scope.apiVersion, metadata: list },
      list.items,
    );
  return convert.kind === 'PartialObjectMetadataList' && context.auditObjects?.wantsResponse !== true
    ? encodeProtobufMetadataList(scope, convert.version as MetaVersion, list)
    : undefined;
}

function writeParts(
  { request, response }: Exchange,
  parts: readonly Uint8Array[],
  { mediaType }: OutputMediaType,
): Promise<void> {
  return writeChunks(request, response, inBatches(parts), {
    code: 200,
    contentType: mediaType.name,
    size: totalLength(parts),
  });
}

/** A list of objects. */
async function listParts(scope: RequestScope, list: ListResult): Promise<Uint8Array[]> {
  const items = await encodeItems(scope, list.items);
  return scope.custom
    ? joinedList(`{"apiVersion":${JSON.stringify(scope.apiVersion)},"items":`, items, unstructuredListEnd(scope, list))
    : joinedList(listHead(scope.listKind, scope.apiVersion, list), items);
}

/** Lists of custom resources are unstructured: keys in order, and a continue token even when it is empty. */
function unstructuredListEnd({ listKind }: RequestScope, list: ListResult): Buffer {
  const { continue: token, remainingItemCount, resourceVersion } = list;
  const metadata = {
    continue: token,
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
    ...(resourceVersion === '' ? {} : { resourceVersion }),
  };
  return Buffer.from(`],"kind":${JSON.stringify(listKind)},"metadata":${JSON.stringify(metadata)}}`);
}

async function send(
  { request, response }: Exchange,
  json: Uint8Array,
  format: { readonly output: OutputMediaType; readonly pretty: boolean },
): Promise<void> {
  const body = await encodeFormat(json, format.output, format.pretty);
  const options = { code: 200, contentType: format.output.mediaType.name };
  if (body.newline) writeJSON(request, response, body.bytes, options);
  else writeBody(request, response, body.bytes, options);
}

function listHead(kind: string, apiVersion: string, list: ListResult): string {
  const metadata = encodeListMetadata(list);
  return `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${metadata},"items":`;
}

const comma = Buffer.from(',');
const commaOpen = Buffer.from(',{');
const openBrace = Buffer.from('{');
const listEnd = Buffer.from(']}');
const newline = Buffer.from('\n');

/** Items as they go between the brackets: each a run of buffers that ends before the next comma. */
interface ListItems {
  readonly buffers: readonly Uint8Array[];
  /** Bytes of each item that are left out, its own `{` among them. */ readonly skip: number;
}

async function encodeItems(scope: RequestScope, records: readonly ObjectRecord[]): Promise<ListItems> {
  const typed = scope.storage.typedListItems === true;
  const prefix = scope.recordPrefix;
  const buffers: Uint8Array[] = Array.from({ length: records.length });
  let prefixed = !typed;
  for (let i = 0; i < records.length; i++) {
    const encoded = encodeResult(scope, records[i] as ObjectRecord);
    const bytes = encoded instanceof Promise ? await encoded : encoded;
    buffers[i] = bytes;
    prefixed &&= startsWith(bytes, prefix);
  }
  if (prefixed || typed) return { buffers, skip: prefixed ? prefix.length : 0 };
  // Bytes in an unexpected form: cut kind and apiVersion out of the objects that have them in front, keep the others
  // whole.
  return {
    buffers: buffers.map((bytes) =>
      startsWith(bytes, prefix) ? Buffer.concat([openBrace, bytes.subarray(prefix.length)]) : bytes,
    ),
    skip: 0,
  };
}

function joinedList(head: string, items: ListItems, end: Buffer = listEnd): Uint8Array[] {
  const parts: Uint8Array[] = [Buffer.from(`${head}[`)];
  const { buffers, skip } = items;
  for (let i = 0; i < buffers.length; i++) {
    const bytes = buffers[i] as Uint8Array;
    if (skip > 0) parts.push(i === 0 ? openBrace : commaOpen);
    else if (i > 0) parts.push(comma);
    parts.push(Buffer.from(bytes.buffer, bytes.byteOffset + skip, bytes.byteLength - skip));
  }
  parts.push(end);
  return parts;
}

function totalLength(parts: readonly Uint8Array[]): number {
  let size = 0;
  for (const part of parts) size += part.length;
  return size;
}

/** A list in a form that is not its own. */
async function convertedParts(
  scope: RequestScope,
  { context }: Exchange,
  { list, output }: ListAnswer,
): Promise<Uint8Array[]> {
  const kind = output.convert?.kind;
  const version = output.convert?.version as MetaVersion;
  if (kind === 'Table') {
    return tableParts(scope, {
      records: list.items,
      includeObject: includeObjectOption(context.query),
      version,
      metadata: list,
      headers: true,
    });
  }
  if (kind === 'PartialObjectMetadata')
    throw representationNotAcceptable(
      'you requested PartialObjectMetadata, but the requested object is a list ' +
        `(${internalGoType(scope, scope.listKind)})`,
    );
  const head = listHead('PartialObjectMetadataList', `meta.k8s.io/${version}`, list);
  // Go leaves the items of an empty list of this kind nil.
  if (list.items.length === 0) return [Buffer.from(`${head}null}`)];
  const parts: Uint8Array[] = [Buffer.from(`${head}[`)];
  for (const [i, result] of list.items.entries()) {
    if (i > 0) parts.push(comma);
    appendPartialMetadata(parts, { scope, result, version });
  }
  parts.push(listEnd);
  return parts;
}
