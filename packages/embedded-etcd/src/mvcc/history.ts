import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { KeyRecord } from './key-record.ts';

const COLUMNS = 'key, id, version, rev, create_rev, lease';
/** With max(), SQLite takes the other columns from the row that has the maximum. */
const NEWEST = 'key, max(id), version, rev, create_rev, lease';

/** A row of COLUMNS. */
type Row = [key: Uint8Array, id: number, version: number, rev: number, createRev: number, lease: number];

const NO_VALUE = new Uint8Array(0);

/** All versions on disk: the statements on the `revisions` table. */
export class History {
  readonly #database: DatabaseSync;
  readonly #insert: StatementSync;
  readonly #value: StatementSync;
  readonly #previous: StatementSync;
  readonly #probe: StatementSync;
  readonly #keysFrom: StatementSync;
  readonly #deleteOlder: StatementSync;
  readonly #deleteOne: StatementSync;
  readonly #ranges = new Map<string, StatementSync>();

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#insert = database.prepare(
      'INSERT INTO revisions (id, rev, key, create_rev, version, lease, value) VALUES (?, ?, ?, ?, ?, ?, ?)',
    );
    this.#value = this.#prepare('SELECT value FROM revisions WHERE id = ?');
    this.#previous = this.#prepare(
      `SELECT ${COLUMNS} FROM revisions WHERE key = ? AND id < ? ORDER BY id DESC LIMIT 1`,
    );
    this.#probe = this.#prepare('SELECT id, rev FROM revisions WHERE id >= ? ORDER BY id LIMIT 1');
    this.#keysFrom = this.#prepare(`SELECT ${COLUMNS} FROM revisions WHERE id >= ? ORDER BY id LIMIT ?`);
    this.#deleteOlder = database.prepare('DELETE FROM revisions WHERE key = ? AND id < ?');
    this.#deleteOne = database.prepare('DELETE FROM revisions WHERE id = ?');
  }

  /** Adds one version. */
  insert(record: KeyRecord): void {
    this.#insert.run(
      record.id,
      record.modRevision,
      keyBytes(record.key),
      record.createRevision,
      record.version,
      record.lease,
      record.value ?? null,
    );
  }

  /** Adds many at once, without values: rows as `imageRows` has made them. */
  insertRows(rows: string): void {
    this.#database
      .prepare(
        "INSERT INTO revisions (id, rev, key, create_rev, version, lease) SELECT value ->> '$[0]', value ->> '$[1]', " +
          "unhex(value ->> '$[2]'), value ->> '$[3]', value ->> '$[4]', value ->> '$[5]' FROM json_each(?)",
      )
      .run(rows);
  }

  /** The value of a version; `undefined` when it has been compacted away. */
  value(id: number): Uint8Array | undefined {
    const row = this.#value.get(id) as unknown as [Uint8Array | null] | undefined;
    return row === undefined ? undefined : (row[0] ?? NO_VALUE);
  }

  /**
   * The version of `key` before version `id`, without its value; `undefined` when the key did not exist then or it is
   * compacted.
   */
  previous(key: string, id: number): KeyRecord | undefined {
    const row = this.#previous.get(keyBytes(key), id) as unknown as Row | undefined;
    if (row === undefined || row[2] === 0) return undefined;
    return toRecord(row);
  }

  /** Up to `limit` versions from `id` on, in the order they were written, without values. */
  keysFrom(id: number, limit: number): KeyRecord[] {
    return (this.#keysFrom.all(id, limit) as unknown as Row[]).map(toRecord);
  }

  /** The newest version of each live key of `[from, upper)` as of version `maxId`, without values. */
  rangeAt(
    from: string,
    upper: string | undefined,
    options: { readonly maxId: number; readonly limit: number },
  ): KeyRecord[] {
    const statement = this.#range(`SELECT ${NEWEST} FROM revisions WHERE`, upper, 'ORDER BY key LIMIT ?');
    const limit = options.limit === 0 ? -1 : options.limit;
    const bounds = upper === undefined ? [keyBytes(from)] : [keyBytes(from), keyBytes(upper)];
    return (statement.all(...bounds, options.maxId, limit) as unknown as Row[]).map(toRecord);
  }

  /** How many keys of `[from, upper)` lived as of version `maxId`. */
  countAt(from: string, upper: string | undefined, maxId: number): number {
    const statement = this.#range('SELECT count(*) FROM (SELECT max(id), version FROM revisions WHERE', upper, ')');
    const bounds = upper === undefined ? [keyBytes(from)] : [keyBytes(from), keyBytes(upper)];
    return (statement.get(...bounds, maxId) as unknown as [number])[0];
  }

  /** Every live key, sorted, without values: read once at start-up from the index alone. */
  current(): KeyRecord[] {
    const rows = this.#prepare(`SELECT ${NEWEST} FROM revisions GROUP BY key HAVING version > 0 ORDER BY key`).all();
    return (rows as unknown as Row[]).map(toRecord);
  }

  /** The newest version's id and revision; zeros in an empty file. */
  last(): { readonly id: number; readonly revision: number } {
    const row = this.#prepare('SELECT id, rev FROM revisions ORDER BY id DESC LIMIT 1').get() as unknown as
      | [number, number]
      | undefined;
    return { id: row?.[0] ?? 0, revision: row?.[1] ?? 0 };
  }

  /**
   * The first id whose revision is at least `revision`, or `nextId`: a binary search, for revisions never fall as ids
   * rise.
   */
  firstId(revision: number, nextId: number): number {
    let low = 0;
    let high = nextId;
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const row = this.#probe.get(middle) as unknown as [number, number] | undefined;
      if (row === undefined || row[1] >= revision) high = middle;
      else low = row[0] + 1;
    }
    return low;
  }

  /** Removes all versions of `key` before version `id`; answers how many. */
  deleteOlder(key: string, id: number): number {
    return Number(this.#deleteOlder.run(keyBytes(key), id).changes);
  }

  /** Removes one version. */
  deleteOne(id: number): void {
    this.#deleteOne.run(id);
  }

  #range(head: string, upper: string | undefined, tail: string): StatementSync {
    const sql =
      `${head} key >= ? ${upper === undefined ? '' : 'AND key < ?'} AND id <= ? GROUP BY key HAVING version > 0 ` +
      `${tail}`;
    let statement = this.#ranges.get(sql);
    if (statement === undefined) this.#ranges.set(sql, (statement = this.#prepare(sql)));
    return statement;
  }

  #prepare(sql: string): StatementSync {
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    return statement;
  }
}

/** What `insertRows` takes: each version's columns as JSON. */
export function imageRows(records: readonly KeyRecord[]): string {
  return JSON.stringify(
    records.map(({ createRevision, id, key, lease, modRevision, version }) => [
      id,
      modRevision,
      keyBytes(key).toString('hex'),
      createRevision,
      version,
      lease,
    ]),
  );
}

function keyBytes(key: string): Buffer {
  return Buffer.from(key, 'latin1');
}

function toRecord(row: Row): KeyRecord {
  const bytes = row[0];
  const key = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  return {
    id: row[1],
    key,
    createRevision: row[4],
    modRevision: row[3],
    version: row[2],
    lease: row[5],
    value: undefined,
  };
}
