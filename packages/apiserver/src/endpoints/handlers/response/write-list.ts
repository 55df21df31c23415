import type { ListResult, ObjectRecord } from '@kubechain/shared-storage';
import { representationNotAcceptable } from '../../../negotiation/errors.ts';
import type { OutputMediaType } from '../../../negotiation/negotiate.ts';
import { wantsPretty } from '../../../negotiation/pretty.ts';
import type { Exchange } from '../exchange.ts';
import { includeObjectOption } from '../parameters/table-options.ts';
import { JSONText } from '../../../request/json-text.ts';
import type { Turns } from '../../../request/turns.ts';
import type { RequestScope } from '../request-scope.ts';
import { giveBack, inBatches, listInBatches, listSize, type JSONList } from './batches.ts';
import { cborList } from './cbor-list.ts';
import { encodeFormat } from './encode-format.ts';
import { encodeProtobufList, encodeProtobufMetadataList, type ProtobufList } from './encode-protobuf.ts';
import { encodeListMetadata, tableParts } from './encode-table.ts';
import { indentedJSON } from './indent-json.ts';
import { withoutManagedFields } from '../managed-fields.ts';
import { serialized } from './serialized.ts';
import { appendPartialMetadata, encodeResult, startsWith } from './transform.ts';
import type { MetaVersion } from './transform.ts';
import { writeChunks, writeMade } from './write-bytes.ts';
import { yamlList } from './yaml-list.ts';
import { internalGoType } from './write-result.ts';

export interface ListAnswer {
  readonly list: ListResult;
  readonly output: OutputMediaType;
}

interface ListWork extends ListAnswer {
  readonly turns: Turns;
  /** Whether objects are without their managed fields. Default: no. */
  readonly omitManagedFields?: boolean;
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
  const turns = scope.work.turns(context);
  const messages =
    output.mediaType.format === 'protobuf' ? await protobufParts(scope, exchange, { ...answer, turns }) : undefined;
  if (messages !== undefined) {
    if (isRecorded(exchange))
      recordList(exchange, await listText(exchange, await jsonList(scope, list, { newline: '', turns }), turns));
    if (messages.parts === undefined)
      await writeMade(request, exchange.response, messages.made(), { ...options(output), size: messages.size });
    else await writePieces(exchange, output, piecesOf(messages.parts));
    return;
  }
  const newline = plainJSON ? '\n' : '';
  let pieces: Pieces;
  if (output.convert === undefined) {
    const made = await jsonList(scope, list, { newline, turns });
    if (isRecorded(exchange)) {
      const end = made.end.subarray(0, made.end.length - newline.length);
      recordList(exchange, await listText(exchange, { ...made, end }, turns));
    }
    pieces = joined(made);
  } else {
    const parts = await convertedParts(scope, exchange, { ...answer, turns });
    if (isRecorded(exchange))
      recordList(
        exchange,
        textOf(
          context.auditRecord?.omitsManagedFields === true
            ? await convertedParts(scope, exchange, { ...answer, turns, omitManagedFields: true })
            : [...parts],
        ),
      );
    parts.push(Buffer.from(newline));
    pieces = piecesOf(parts);
  }
  if (plainJSON) await writePieces(exchange, output, pieces);
  else if (output.mediaType.format === 'cbor') {
    const itemSchema = output.convert === undefined ? scope.kindInfo.schema : undefined;
    await writeMade(request, exchange.response, cborList(pieces.batches, { itemSchema, turns }), options(output));
  } else await writeMade(request, exchange.response, inFormat(pieces, { output, pretty, turns }), options(output));
}

function isRecorded({ context }: Exchange): boolean {
  return context.auditRecord?.wantsResponse === true;
}

function recordList({ context }: Exchange, text: JSONText): void {
  context.auditRecord?.setResponseText(text);
}

/** The list as it is recorded: its items are what is stored, and joined when the event is written. */
async function listText({ context }: Exchange, list: JSONList, turns: Turns): Promise<JSONText> {
  if (context.auditRecord?.omitsManagedFields !== true)
    return new JSONText(listSize(list), () => listInBatches(list), 0);
  const { end, head, items, skip } = list;
  const parts: Uint8Array[] = [head];
  for (const [i, item] of items.entries()) {
    const [first = item, ...more] = withoutManagedFields(item);
    if (i > 0) parts.push(comma);
    if (skip > 0) parts.push(openBrace);
    parts.push(first.subarray(skip), ...more);
    const turn = turns.nextAfter(item.length);
    if (turn !== undefined) await turn;
  }
  parts.push(end);
  return new JSONText(totalLength(parts), () => inBatches(parts), 0);
}

function textOf(parts: readonly Uint8Array[]): JSONText {
  return new JSONText(totalLength(parts), () => inBatches(parts));
}

/** A body that is put together while it is sent. `size`: its bytes. */
interface Pieces {
  readonly size: number;
  readonly batches: () => Iterable<Uint8Array>;
}

function piecesOf(parts: readonly Uint8Array[]): Pieces {
  return { size: totalLength(parts), batches: () => inBatches(parts) };
}

function joined(list: JSONList): Pieces {
  return { size: listSize(list), batches: () => listInBatches(list) };
}

/** A list in protobuf that needs no JSON; undefined where there is no such way. */
async function protobufParts(
  scope: RequestScope,
  { context }: Exchange,
  { list, output: { convert }, turns }: ListWork,
): Promise<ProtobufList | undefined> {
  if (convert === undefined)
    return encodeProtobufList(
      scope,
      { kind: scope.listKind, apiVersion: scope.apiVersion, metadata: list },
      { items: list.items, turns },
    );
  return convert.kind === 'PartialObjectMetadataList' && context.auditRecord?.wantsResponse !== true
    ? encodeProtobufMetadataList(scope, convert.version as MetaVersion, { list, turns })
    : undefined;
}

function writePieces(
  { request, response }: Exchange,
  output: OutputMediaType,
  { batches, size }: Pieces,
): Promise<void> {
  return writeChunks(request, response, batches(), { ...options(output), size });
}

/** A list of objects; `newline`: what follows it. */
async function jsonList(
  scope: RequestScope,
  list: ListResult,
  { newline, turns }: { readonly newline: string; readonly turns: Turns },
): Promise<JSONList> {
  const items = await encodeItems(scope, list.items, turns);
  return scope.custom
    ? {
        ...items,
        head: Buffer.from(`{"apiVersion":${JSON.stringify(scope.apiVersion)},"items":[`),
        end: Buffer.from(unstructuredListEnd(scope, list) + newline),
      }
    : {
        ...items,
        head: Buffer.from(`${listHead(scope.listKind, scope.apiVersion, list)}[`),
        end: Buffer.from(`]}${newline}`),
      };
}

/** Lists of custom resources are unstructured: keys in order, and a continue token even when it is empty. */
function unstructuredListEnd({ listKind }: RequestScope, list: ListResult): string {
  const { continue: token, remainingItemCount, resourceVersion } = list;
  const metadata = {
    continue: token,
    ...(remainingItemCount === undefined ? {} : { remainingItemCount }),
    ...(resourceVersion === '' ? {} : { resourceVersion }),
    ...(list.shard === undefined ? {} : { shardInfo: { selector: list.shard } }),
  };
  return `],"kind":${JSON.stringify(listKind)},"metadata":${JSON.stringify(metadata)}}`;
}

/** JSON in another form, which is made while it is sent. */
function inFormat(
  { batches }: Pieces,
  { output, pretty, turns }: { readonly output: OutputMediaType; readonly pretty: boolean; readonly turns: Turns },
): AsyncGenerator<Uint8Array> {
  if (pretty) return indentedJSON(givenBack(batches()), () => turns.next());
  if (output.mediaType.format === 'yaml') return yamlList(givenBack(batches()), turns);
  return converted(Buffer.concat([...batches()]), { output, pretty, turns });
}

/** Gives each back when the next one is asked for. */
function* givenBack(batches: Iterable<Uint8Array>): Generator<Uint8Array> {
  for (const batch of batches) {
    yield batch;
    giveBack(batch);
  }
}

async function* converted(
  json: Uint8Array,
  format: { readonly output: OutputMediaType; readonly pretty: boolean; readonly turns: Turns },
): AsyncGenerator<Uint8Array> {
  yield (await encodeFormat(json, format.output, format)).bytes;
}

function options({ mediaType }: OutputMediaType): { readonly code: number; readonly contentType: string } {
  return { code: 200, contentType: mediaType.name };
}

function listHead(kind: string, apiVersion: string, list: ListResult): string {
  const metadata = encodeListMetadata(list);
  return `{"kind":${JSON.stringify(kind)},"apiVersion":${JSON.stringify(apiVersion)},"metadata":${metadata},"items":`;
}

const comma = Buffer.from(',');
const openBrace = Buffer.from('{');
const listEnd = Buffer.from(']}');

async function encodeItems(
  scope: RequestScope,
  records: readonly ObjectRecord[],
  turns: Turns,
): Promise<Pick<JSONList, 'items' | 'skip'>> {
  const typed = scope.storage.typedListItems === true;
  const prefix = scope.recordPrefix;
  const items: Uint8Array[] = Array.from({ length: records.length });
  let prefixed = !typed;
  for (let i = 0; i < records.length; i++) {
    const encoded = encodeResult(scope, records[i] as ObjectRecord);
    const bytes = encoded instanceof Promise ? await encoded : encoded;
    // Records that go out as they are cost nothing.
    const turn = bytes === (records[i] as ObjectRecord).json ? undefined : turns.nextAfter(bytes.length);
    if (turn !== undefined) await turn;
    items[i] = bytes;
    prefixed &&= startsWith(bytes, prefix);
  }
  if (prefixed || typed) return { items, skip: prefixed ? prefix.length : 0 };
  // Bytes in an unexpected form: cut kind and apiVersion out of the objects that have them in front, keep the others
  // whole.
  return {
    items: items.map((bytes) =>
      startsWith(bytes, prefix) ? Buffer.concat([openBrace, bytes.subarray(prefix.length)]) : bytes,
    ),
    skip: 0,
  };
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
  { list, omitManagedFields = false, output, turns }: ListWork,
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
      omitManagedFields,
      turns,
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
    appendPartialMetadata(parts, { scope, result, version, omitManagedFields });
    const turn = turns.nextAfter(result.json.length);
    if (turn !== undefined) await turn;
  }
  parts.push(listEnd);
  return parts;
}
