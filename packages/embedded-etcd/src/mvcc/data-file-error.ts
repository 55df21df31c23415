import { messageOf } from '@kubechain/apimachinery/message-of';

/** Why a data file cannot be used. */
export type DataFileErrorReason = 'locked' | 'corrupt' | 'foreign' | 'unusable';

/** Raised when the data file cannot be opened; the message says what to do, without the flag's name. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
  readonly reason: DataFileErrorReason;

  constructor(reason: DataFileErrorReason, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.reason = reason;
  }
}

const SQLITE_BUSY = 5;
const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** SQLite's primary result code of an error of node:sqlite, or 0. */
function sqliteCode(error: unknown): number {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === 'number' ? code & 0xff : 0;
}

/** Whether the disk is full. */
export function isDiskFull(error: unknown): boolean {
  return sqliteCode(error) === SQLITE_FULL;
}

/** Says in one line why `file` could not be opened. */
export function dataFileError(file: string, error: unknown): DataFileError {
  if (error instanceof DataFileError) return error;
  const detail = messageOf(error);
  switch (sqliteCode(error)) {
    case SQLITE_BUSY:
      return new DataFileError('locked', `${file} is in use by another process`, error);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return new DataFileError(
        'corrupt',
        `${file} is corrupt or not a data file (${detail}); restore it from a copy or remove it`,
        error,
      );
    default:
      return new DataFileError('unusable', `${file} cannot be opened: ${detail}`, error);
  }
}
