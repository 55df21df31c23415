import { StatusError } from '@kubechain/apimachinery';
import type { Status } from '@kubechain/apimachinery';
import { isRecord } from '../../../registry/rest/result.ts';
import type { RESTResult } from '../../../registry/rest/storage.ts';
import { representationNotAcceptable } from '../../../negotiation/errors.ts';
import type { OutputMediaType } from '../../../negotiation/negotiate.ts';
import { wantsPretty } from '../../../negotiation/pretty.ts';
import type { Exchange } from '../exchange.ts';
import { auditAnswer, auditObjectText } from '../audit-objects.ts';
import { includeObjectOption } from '../parameters/table-options.ts';
import type { RequestScope } from '../request-scope.ts';
import { encodeFormat } from './encode-format.ts';
import { encodeProtobufResult } from './encode-protobuf.ts';
import { serialized } from './serialized.ts';
import { encodeTable } from './encode-table.ts';
import { encodePartialMetadata, encodeResult } from './transform.ts';
import type { MetaVersion } from './transform.ts';
import { writeBody, writeJSON } from './write-bytes.ts';

export interface Answer {
  readonly code: number;
  readonly result: RESTResult;
  readonly output: OutputMediaType;
}

/**
 * Sends the result of a request that is about one object, in the representation that was negotiated. A stored record
 * in the served version goes out as the bytes that it is.
 */
export function writeResult(scope: RequestScope, exchange: Exchange, answer: Answer): Promise<void> {
  const { span } = exchange.context;
  if (span === undefined) return sendResult(scope, exchange, answer);
  span.event('About to write a response');
  return serialized(exchange, answer.output, () => sendResult(scope, exchange, answer)).then(() => {
    span.event('Writing http response done');
  });
}

async function sendResult(scope: RequestScope, exchange: Exchange, answer: Answer): Promise<void> {
  const { context, request, response } = exchange;
  const { output } = answer;
  const pretty =
    output.mediaType.format === 'json' && (output.pretty || wantsPretty(context.query, request.headers['user-agent']));
  if (
    output.convert === undefined &&
    output.mediaType.format === 'json' &&
    !pretty &&
    isRecord(answer.result) &&
    scope.servesRecords &&
    scope.storage.typedListItems !== true
  ) {
    auditObjectText(context, answer.result.json);
    writeJSON(request, response, answer.result.json, { code: answer.code, contentType: output.mediaType.name });
    return;
  }
  const { code, result } = withStatusCode(answer);
  if (context.auditRecord !== undefined) await auditResult(scope, exchange, { code, result, output });
  if (output.convert === undefined && output.mediaType.format === 'protobuf') {
    writeBody(request, response, await encodeProtobufResult(scope, result), {
      code,
      contentType: output.mediaType.name,
    });
    return;
  }
  const json = await transformed(scope, exchange, { code, result, output });
  if (output.convert !== undefined && !isStatus(result) && context.auditRecord?.wantsResponse === true)
    auditObjectText(context, await auditedForm(scope, exchange, { code, result, output }, json));
  const body = await encodeFormat(json, output, {
    pretty,
    turns: scope.work.turns(context),
    ...(output.convert === undefined && !isStatus(result) ? { schema: scope.kindInfo.schema } : {}),
  });
  const options = { code, contentType: output.mediaType.name };
  if (body.newline) writeJSON(request, response, body.bytes, options);
  else writeBody(request, response, body.bytes, options);
}

/** Records the answer in the form of its own, whatever it is sent as; other forms are recorded when they are made. */
async function auditResult(scope: RequestScope, { context }: Exchange, { output, result }: Answer): Promise<void> {
  if (!isRecord(result)) {
    if (output.convert === undefined || isStatus(result)) auditAnswer(context, result);
  } else if (output.convert === undefined && context.auditRecord?.wantsResponse === true)
    auditObjectText(context, await encodeResult(scope, result));
}

/** A table, whose rows may have objects, without their managed fields where these are to be omitted. */
function auditedForm(
  scope: RequestScope,
  { context }: Exchange,
  { output, result }: Answer,
  json: Uint8Array,
): Uint8Array | Promise<Uint8Array> {
  if (output.convert?.kind !== 'Table' || context.auditRecord?.omitsManagedFields !== true) return json;
  return encodeTable(scope, {
    records: [result],
    includeObject: includeObjectOption(context.query),
    version: output.convert.version as MetaVersion,
    metadata: undefined,
    headers: true,
    omitManagedFields: true,
  });
}

/** A Status that says nothing of a code gets the one of a creation, as the reference fills it in there only. */
function withStatusCode(answer: Answer): Answer {
  const { code, result } = answer;
  if (code !== 201 || isRecord(result) || result.kind !== 'Status' || result['code'] !== undefined) return answer;
  return { ...answer, result: { ...(result as Status), code } };
}

async function transformed(
  scope: RequestScope,
  { context }: Exchange,
  { output, result }: Answer,
): Promise<Uint8Array> {
  const target = output.convert;
  if (target === undefined) return encodeResult(scope, result);
  if (target.kind === 'Table') {
    const includeObject = includeObjectOption(context.query);
    if (isStatus(result)) return encodeResult(scope, result);
    return encodeTable(scope, {
      records: [result],
      includeObject,
      version: target.version as MetaVersion,
      metadata: undefined,
      headers: true,
    });
  }
  if (isStatus(result)) return encodeResult(scope, result);
  if (target.kind === 'PartialObjectMetadata')
    return encodePartialMetadata(scope, result, target.version as MetaVersion);
  // Unstructured data may be a list, so that it is not asked before it is read as one.
  if (scope.custom && scope.kind.group === scope.resource.group)
    throw new StatusError({ status: 'Failure', message: 'content is not a list', code: 500 });
  throw representationNotAcceptable(
    `you requested PartialObjectMetadataList, but the requested object is not a list (${internalGoType(scope)})`,
  );
}

function isStatus(result: RESTResult): boolean {
  return !isRecord(result) && result.kind === 'Status';
}

/** How the reference names the Go type behind a kind in the texts of 406 answers: `*core.ConfigMap`. */
export function internalGoType(scope: RequestScope, kind = scope.kind.kind): string {
  const { group } = scope.kind;
  if (scope.custom)
    return group === scope.resource.group
      ? `*unstructured.Unstructured${kind === scope.listKind ? 'List' : ''}`
      : `*${scope.kind.version}.${kind}`;
  return `*${internalPackages.get(group) ?? (group.split('.')[0] as string)}.${kind}`;
}

/** Groups whose internal types are in a Go package of another name (pkg/apis, 1.36). */
const internalPackages: ReadonlyMap<string, string> = new Map([
  ['', 'core'],
  ['events.k8s.io', 'core'],
  ['internal.apiserver.k8s.io', 'apiserverinternal'],
]);
