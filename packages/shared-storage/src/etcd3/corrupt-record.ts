import type { ObjectRecord } from '../storage/interfaces.ts';
import { JSONRecord, parseJSONObject } from '../storage/json-record.ts';

/** What a deletion that did not look at the object resolves to: the name, from the key, and the revision. */
export function corruptRecord(key: string, revision: number): ObjectRecord {
  const name = key.slice(key.lastIndexOf('/') + 1);
  return new JSONRecord(key, revision, {
    json: Buffer.from(JSON.stringify({ metadata: { name, resourceVersion: String(revision) } })),
    attributes: { name, namespace: '', labels: undefined, fields: { 'metadata.name': name, 'metadata.namespace': '' } },
    parse: parseJSONObject,
  });
}
