import type { KubeObject } from '@kubechain/apimachinery';
import { isRecord } from '../../../registry/rest/result.ts';
import type { RESTResult } from '../../../registry/rest/storage.ts';
import { defaultTable } from '../../table/default-table.ts';
import type { IncludeObject } from '../parameters/table-options.ts';
import type { RequestScope } from '../request-scope.ts';
import { encodePartialMetadata, encodeResult } from './transform.ts';
import type { MetaVersion } from './transform.ts';

/** meta/v1 ListMeta of a list or table. */
export interface ListMetadata {
  readonly resourceVersion?: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
}

export interface TableSource {
  readonly records: readonly RESTResult[];
  readonly includeObject: IncludeObject;
  readonly version: MetaVersion;
  /** undefined: that of the only object. */
  readonly metadata: ListMetadata | undefined;
  /** False on a watch after its first event. */
  readonly headers: boolean;
}

/** Objects of one kind as a meta.k8s.io Table: cells from the resource's convertor, objects as asked for. */
export async function encodeTable(scope: RequestScope, source: TableSource): Promise<Buffer> {
  const table = scope.storage.table ?? defaultTable;
  const nowMs = scope.clock.now();
  const rows: string[] = [];
  let metadata = source.metadata;
  for (const result of source.records) {
    const object: KubeObject = isRecord(result) ? result.object() : result;
    metadata ??= { resourceVersion: object.metadata?.resourceVersion ?? '' };
    const { cells, conditions } = table.row(object, nowMs);
    const more =
      conditions === undefined || conditions.length === 0 ? '' : `,"conditions":${JSON.stringify(conditions)}`;
    rows.push(`{"cells":${JSON.stringify(cells)}${more},"object":${await encodedObject(scope, result, source)}}`);
  }
  return Buffer.from(
    `{"kind":"Table","apiVersion":"meta.k8s.io/${source.version}","metadata":${encodeListMetadata(metadata ?? {})},` +
      `"columnDefinitions":${source.headers ? JSON.stringify(table.columns) : 'null'},"rows":${rows.length === 0 && table === defaultTable ? 'null' : `[${rows.join(',')}]`}}`,
  );
}

/** The metadata of a list as JSON, empty members left out. */
export function encodeListMetadata(metadata: ListMetadata): string {
  const members: string[] = [];
  if (metadata.resourceVersion !== undefined && metadata.resourceVersion !== '')
    members.push(`"resourceVersion":${JSON.stringify(metadata.resourceVersion)}`);
  if (metadata.continue !== undefined && metadata.continue !== '')
    members.push(`"continue":${JSON.stringify(metadata.continue)}`);
  if (metadata.remainingItemCount !== undefined) members.push(`"remainingItemCount":${metadata.remainingItemCount}`);
  return `{${members.join(',')}}`;
}

async function encodedObject(
  scope: RequestScope,
  result: RESTResult,
  { includeObject, version }: TableSource,
): Promise<string> {
  switch (includeObject) {
    case 'None':
      return 'null';
    case 'Metadata':
      return encodePartialMetadata(scope, result, version).toString();
    case 'Object':
      return Buffer.from(await encodeResult(scope, result)).toString();
    default:
      return includeObject satisfies never;
  }
}
