import { JSONScanner, parseJSON, ScanError } from '@kubechain/apimachinery';
import type { ObjectMeta } from '@kubechain/apimachinery';
import type { ObjectRecord } from './interfaces.ts';

/** The uid of a recorded object, '' without one: read off its JSON, of which the rest may be a megabyte. */
export function recordedUID(record: ObjectRecord): string {
  try {
    const json = new JSONScanner(record.json);
    const uid: unknown = json.find('metadata') && json.find('uid') ? parseJSON(json.raw().toString('utf8')) : '';
    if (typeof uid === 'string') return uid;
  } catch (error) {
    if (!(error instanceof ScanError || error instanceof SyntaxError)) throw error;
  }
  return record.object().metadata?.uid ?? '';
}

/** The metadata of a recorded object, a private copy; nothing else of it is read. */
export function recordedMetadata(record: ObjectRecord): ObjectMeta {
  const json = new JSONScanner(record.json);
  return json.find('metadata') ? (parseJSON(json.raw().toString('utf8')) as ObjectMeta) : {};
}
