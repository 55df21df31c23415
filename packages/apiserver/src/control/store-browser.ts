import { prefixRangeEnd } from '@kubechain/shared-storage';
import type { EtcdClient, KeyValue } from '@kubechain/shared-storage/etcd';

/** A key of the store, without its value. */
export interface StoredKey {
  readonly key: string;
  readonly createRevision: number;
  readonly modRevision: number;
  /** How often it has been written since it was created. */
  readonly version: number;
}

/** A key at one revision. */
export interface StoredVersion extends StoredKey {
  readonly bytes: number;
  /** Text of the value; undefined for one that is not text (protobuf, or encrypted). */
  readonly text?: string;
}

/** Keys of one page of the browser. */
const mostKeys = 500;
/** Revisions of one object that are shown. */
const mostVersions = 30;
/** Longest value that is shown, bytes. */
const longestValue = 1024 * 1024;

/** Keys that begin with `prefix`, in their order, after `after`. Values stay in the store. */
export async function storedKeys(
  client: EtcdClient,
  { after, prefix, revision }: { readonly prefix: string; readonly after: string; readonly revision: number },
): Promise<{ readonly revision: number; readonly count: number; readonly keys: readonly StoredKey[] }> {
  const from = after === '' || after < prefix ? prefix : `${after}\0`;
  const found = await client.range({
    key: from,
    rangeEnd: prefixRangeEnd(prefix),
    limit: mostKeys,
    keysOnly: true,
    revision,
  });
  return { revision: found.revision, count: found.count, keys: found.kvs.map(keyOf) };
}

/** One key at a revision; 0: now. Undefined where it did not exist. */
export async function storedVersion(client: EtcdClient, key: string, revision = 0): Promise<StoredVersion | undefined> {
  const [found] = (await client.range({ key, revision })).kvs;
  if (found === undefined) return undefined;
  const text = found.value.length > longestValue ? undefined : textOf(found.value);
  return { ...keyOf(found), bytes: found.value.length, ...(text === undefined ? {} : { text }) };
}

/**
 * The versions of a key from the newest back, as far as the store still has them: each is found at the revision before
 * the one that wrote the next. Versions of before a deletion belong to another object and are not told.
 */
export async function storedHistory(
  client: EtcdClient,
  key: string,
): Promise<{ readonly versions: readonly StoredVersion[]; readonly compacted: boolean }> {
  const versions: StoredVersion[] = [];
  let revision = 0;
  while (versions.length < mostVersions) {
    let found: StoredVersion | undefined;
    try {
      found = await storedVersion(client, key, revision);
    } catch (error) {
      if (versions.length === 0) throw error;
      // The store has forgotten what was before.
      return { versions, compacted: true };
    }
    if (found === undefined) break;
    versions.push(found);
    if (found.version === 1) break;
    revision = found.modRevision - 1;
  }
  return { versions, compacted: false };
}

function keyOf({ createRevision, key, modRevision, version }: KeyValue): StoredKey {
  return { key, createRevision, modRevision, version };
}

/** Text, or nothing where bytes would be lost. */
function textOf(value: Buffer): string | undefined {
  const text = value.toString('utf8');
  return text.includes('\0') || text.includes('\ufffd') ? undefined : text;
}
