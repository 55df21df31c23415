import type { ObjectRecord } from '@kubechain/shared-storage';
import type { RESTResult } from './storage.ts';

/**
 * Tells a stored record from a plain object. API objects have no member `attributes` with a `fields` of its own next to
 * `json` bytes.
 */
export function isRecord(result: RESTResult): result is ObjectRecord {
  return (result as ObjectRecord).json instanceof Uint8Array;
}
