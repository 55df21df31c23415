import { chmodSync, closeSync, existsSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { DataFileError, dataFileError } from './data-file-error.ts';

/** "kbce" in ASCII: marks the file as ours, so that another program's database is never written to. */
const APPLICATION_ID = 0x6b626365;
const SCHEMA_VERSION = 1;

/**
 * `revisions` is the whole history: one row for each version of a key that is
 * not compacted. Its index covers everything but the value, so that loading the
 * keys at start-up and reading metadata of the past do not touch the values.
 */
const SCHEMA = `
  CREATE TABLE revisions (
    id INTEGER PRIMARY KEY,
    rev INTEGER NOT NULL,
    key BLOB NOT NULL,
    create_rev INTEGER NOT NULL,
    version INTEGER NOT NULL,
    lease INTEGER NOT NULL,
    value BLOB
  );
  CREATE INDEX revisions_by_key ON revisions (key, id, version, rev, create_rev, lease);
  CREATE TABLE leases (id INTEGER PRIMARY KEY, ttl INTEGER NOT NULL, deadline INTEGER) ;
  CREATE TABLE meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
`;

/** How a data file is opened. */
export interface DataFileOptions {
  /** Leaves out the fsync of each commit: a power failure may lose the last writes, a crash of the process does not. */
  readonly unsafeNoFsync: boolean;
}

/**
 * Opens or creates the data file and locks it until it is closed or the process dies.
 *
 * The lock is SQLite's exclusive locking mode: an advisory lock of the operating
 * system, gone with the process even after SIGKILL. It also keeps the WAL index
 * in the heap, so there is no shared-memory file.
 *
 * @throws DataFileError
 */
export function openDataFile(file: string, options: DataFileOptions): DatabaseSync {
  let database: DatabaseSync | undefined;
  try {
    makePrivate(file);
    database = new DatabaseSync(file);
    database.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA busy_timeout = 0');
    database.exec('PRAGMA journal_mode = WAL');
    database.exec('BEGIN IMMEDIATE');
    prepareSchema(database, file);
    database.exec('COMMIT');
    database.exec(`PRAGMA synchronous = ${options.unsafeNoFsync ? 'OFF' : 'FULL'}`);
    database.exec('PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 268435456');
    return database;
  } catch (error) {
    if (database?.isOpen === true) database.close();
    throw dataFileError(file, error);
  }
}

/**
 * Everything that is stored, Secrets too, is for the owner alone. SQLite gives its log the mode of the file; a file of
 * an older version is taken from others now.
 */
function makePrivate(file: string): void {
  if (file === '' || file === ':memory:') return;
  if (!existsSync(file)) {
    closeSync(openSync(file, 'a', 0o600));
    return;
  }
  for (const path of [file, `${file}-wal`, `${file}-journal`]) {
    try {
      if (existsSync(path)) chmodSync(path, 0o600);
    } catch {
      // Somebody else's file, which its owner has opened to us.
    }
  }
}

function prepareSchema(database: DatabaseSync, file: string): void {
  const applicationId = pragma(database, 'application_id');
  const version = pragma(database, 'user_version');
  if (applicationId === 0 && version === 0 && pragma(database, 'schema_version') === 0) {
    database.exec(SCHEMA);
    database.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
    return;
  }
  if (applicationId !== APPLICATION_ID) throw new DataFileError('foreign', `${file} is a database of another program`);
  if (version !== SCHEMA_VERSION) {
    throw new DataFileError('foreign', `${file} has format ${version}; this program reads format ${SCHEMA_VERSION}`);
  }
}

/** The number a pragma answers. */
function pragma(database: DatabaseSync, name: string): number {
  const row = database.prepare(`PRAGMA ${name}`).get();
  return Number(row?.[name] ?? 0);
}

/** Bytes of the data file, and those of them that hold data. */
export function dataSize(database: DatabaseSync): { readonly total: number; readonly used: number } {
  const pageSize = pragma(database, 'page_size');
  const pages = pragma(database, 'page_count');
  return { total: pages * pageSize, used: (pages - pragma(database, 'freelist_count')) * pageSize };
}
