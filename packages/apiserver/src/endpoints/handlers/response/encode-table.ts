import { append, goJSON } from '@kubechain/apimachinery';
import { ownBytes } from '@kubechain/shared-storage';
import type { ObjectRecord } from '@kubechain/shared-storage';
import { isRecord } from '../../../registry/rest/result.ts';
import type { RESTResult } from '../../../registry/rest/storage.ts';
import { defaultTable } from '../../../table/default-table.ts';
import type { Turns } from '../../../request/turns.ts';
import type { TableConvertor } from '../../../table/table-convertor.ts';
import type { IncludeObject } from '../parameters/table-options.ts';
import type { RequestScope } from '../request-scope.ts';
import { AgeTexts, encodeRow } from './encoded-row.ts';
import type { EncodedRow } from './encoded-row.ts';
import type { MadeView } from '../record-views.ts';
import { withoutManagedFields } from '../managed-fields.ts';
import { appendPartialMetadata, encodeResult } from './transform.ts';
import type { MetaVersion } from './transform.ts';

/** meta/v1 ListMeta of a list or table. */
export interface ListMetadata {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
  /** The selector of the shard that the list is of. */
  readonly shard?: string;
}

export interface TableSource {
  readonly records: readonly RESTResult[];
  readonly includeObject: IncludeObject;
  readonly version: MetaVersion;
  /** undefined: that of the only object. */
  readonly metadata: ListMetadata | undefined;
  /** False on a watch after its first event. */
  readonly headers: boolean;
  /** Whether objects of rows are without their managed fields. Default: no. */
  readonly omitManagedFields?: boolean;
  /** Where there may be many rows: others are served between them. */
  readonly turns?: Turns;
}

/** About what an object has that is no record. */
const ROW_BYTES = 4_096;
const nothing = Buffer.from('null}');
const endOfRow = Buffer.from('}');
const endOfBoth = Buffer.from('}}');

/** Objects of one kind as a meta.k8s.io Table: cells from the resource's convertor, objects as asked for. */
export async function encodeTable(scope: RequestScope, source: TableSource): Promise<Buffer> {
  return Buffer.concat(await tableParts(scope, source));
}

/**
 * The same in pieces that are to be sent one after the other. Those of records are parts of what is kept with them, and
 * must not be changed.
 */
export async function tableParts(scope: RequestScope, source: TableSource): Promise<Uint8Array[]> {
  const { includeObject, omitManagedFields = false, version } = source;
  const table = scope.storage.table ?? defaultTable;
  const records = inOrder(source.records, table);
  const ages = new AgeTexts(scope.clock.now());
  const parts: Uint8Array[] = [];
  const head =
    `{"kind":"Table","apiVersion":"meta.k8s.io/${version}",` +
    `"metadata":${encodeListMetadata(source.metadata ?? metadataOf(records))},` +
    `"columnDefinitions":${source.headers ? goJSON(table.columns) : 'null'},"rows":`;
  if (records.length === 0 && table === defaultTable) return [Buffer.from(`${head}null}`)];
  parts.push(Buffer.from(`${head}[`));
  for (const [i, result] of records.entries()) {
    ages.append(parts, isRecord(result) ? rowOf(scope, table, result) : encodeRow(table.row(result)), i === 0);
    switch (includeObject) {
      case 'None':
        parts.push(nothing);
        break;
      case 'Metadata':
        appendPartialMetadata(parts, { scope, result, version, omitManagedFields }, endOfBoth);
        break;
      case 'Object': {
        const encoded = encodeResult(scope, result);
        const json = encoded instanceof Promise ? await encoded : encoded;
        if (omitManagedFields) append(parts, withoutManagedFields(json));
        else parts.push(json);
        parts.push(endOfRow);
        break;
      }
      default:
        includeObject satisfies never;
    }
    const turn = source.turns?.nextAfter(isRecord(result) ? result.json.length : ROW_BYTES);
    if (turn !== undefined) await turn;
  }
  parts.push(Buffer.from(']}'));
  return parts;
}

function inOrder(records: readonly RESTResult[], { compare }: TableConvertor): readonly RESTResult[] {
  if (compare === undefined || records.length < 2) return records;
  const objects = new Map(records.map((result) => [result, isRecord(result) ? result.object() : result]));
  return records.toSorted((a, b) => compare(objects.get(a) ?? {}, objects.get(b) ?? {}));
}

/** A row depends on the object's version and its convertor alone, so that it is kept with the record. */
function rowOf(scope: RequestScope, table: TableConvertor, record: ObjectRecord): EncodedRow {
  return scope.views.get(record, table, (of): MadeView<EncodedRow> => {
    const row = encodeRow(table.row(of.object()));
    return { value: { ...row, bytes: ownBytes(row.bytes) }, bytes: row.bytes.length };
  });
}

function metadataOf([result]: readonly RESTResult[]): ListMetadata {
  if (result === undefined) return {};
  return { resourceVersion: isRecord(result) ? String(result.revision) : (result.metadata?.resourceVersion ?? '') };
}

/** The metadata of a list as JSON, empty members left out. */
export function encodeListMetadata(metadata: ListMetadata): string {
  const members: string[] = [];
  if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== '')
    members.push(`"resourceVersion":${JSON.stringify(metadata.resourceVersion)}`);
  if (metadata.continue !== undefined && metadata.continue !== '')
    members.push(`"continue":${JSON.stringify(metadata.continue)}`);
  if (metadata.remainingItemCount !== undefined) members.push(`"remainingItemCount":${metadata.remainingItemCount}`);
  if (metadata.shard !== undefined) members.push(`"shardInfo":{"selector":${goJSON(metadata.shard)}}`);
  return `{${members.join(',')}}`;
}
