import { parseJSON } from '@kubechain/apimachinery';
import type { Snapshot, SnapshotKey } from './snapshot.ts';

/** What a file of another kind, or a broken one, is refused with. */
export class SnapshotFileError extends Error {
  override readonly name = 'SnapshotFileError';
}

interface Head {
  readonly kind: 'KubechainSnapshot';
  readonly version: 1;
  readonly revision: number;
  readonly keys: number;
  readonly serviceAccountKey?: string;
}

interface Line {
  readonly key: string;
  /** The value, where it is text; else `base64`. */
  readonly text?: string;
  readonly base64?: string;
  readonly ttlSeconds?: number;
}

/**
 * A snapshot as lines of JSON, a head and a line for each key in their order, so that files can be compared.
 * @param serviceAccountKey what tokens are signed with, PEM: those that are stored are good where it is known
 */
export function snapshotText({ keys, revision }: Snapshot, serviceAccountKey?: string): string {
  const head: Head = {
    kind: 'KubechainSnapshot',
    version: 1,
    revision,
    keys: keys.length,
    ...(serviceAccountKey === undefined ? {} : { serviceAccountKey }),
  };
  return `${[head, ...keys.map(lineOf)].map((line) => JSON.stringify(line)).join('\n')}\n`;
}

function lineOf({ key, ttlSeconds, value }: SnapshotKey): Line {
  const text = value.toString('utf8');
  const content = Buffer.from(text, 'utf8').equals(value) ? { text } : { base64: value.toString('base64') };
  return { key, ...content, ...(ttlSeconds === undefined ? {} : { ttlSeconds }) };
}

/** The key that tokens were signed with, where the file tells it. @throws SnapshotFileError for another kind of file */
export function serviceAccountKeyIn(text: string): string | undefined {
  const { kind, serviceAccountKey } = parsed(text.split('\n', 1)[0] ?? '', 1) as Partial<Head>;
  if (kind !== 'KubechainSnapshot') throw notASnapshot();
  return serviceAccountKey;
}

function notASnapshot(): SnapshotFileError {
  return new SnapshotFileError('line 1: this is not a snapshot of kubechain');
}

/** @throws SnapshotFileError that names the line */
export function readSnapshot(text: string): Snapshot {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const head = parsed(lines[0] ?? '', 1) as Partial<Head>;
  if (head.kind !== 'KubechainSnapshot') throw notASnapshot();
  if (head.version !== 1) throw new SnapshotFileError(`line 1: version ${String(head.version)} is not known`);
  if (head.keys !== lines.length - 1)
    throw new SnapshotFileError(`${String(head.keys)} keys were saved, ${lines.length - 1} are there`);
  return {
    revision: typeof head.revision === 'number' ? head.revision : 0,
    keys: lines.slice(1).map((line, at) => keyOf(parsed(line, at + 2) as Partial<Line>, at + 2)),
  };
}

function parsed(line: string, number: number): object {
  try {
    const value: unknown = parseJSON(line);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    /* told below */
  }
  throw new SnapshotFileError(`line ${number}: no JSON object`);
}

function keyOf({ base64, key, text, ttlSeconds }: Partial<Line>, number: number): SnapshotKey {
  const value = text === undefined ? base64 : text;
  if (typeof key !== 'string' || key === '' || typeof value !== 'string')
    throw new SnapshotFileError(`line ${number}: a key and its text or base64 are needed`);
  return {
    key,
    value: Buffer.from(value, text === undefined ? 'base64' : 'utf8'),
    ...(typeof ttlSeconds === 'number' ? { ttlSeconds } : {}),
  };
}
