import type { DatabaseSync } from 'node:sqlite';
import { messageOf } from '@kubechain/apimachinery/message-of';
import type { EtcdError } from '../errors/etcd-error.ts';
import { EtcdError as EtcdErrorClass, GrpcCode, etcdError } from '../errors/etcd-error.ts';
import { isDiskFull } from './data-file-error.ts';

/** An answer that waits until the writes made before it are on disk. */
export interface HeldReply {
  /** Sends the answer. */
  release(): void;
  /** The writes were lost: answers with the error instead. */
  abandon(error: EtcdError): void;
}

/** What follows a commit. */
export interface CommitListener {
  /** The batch is on disk; runs before the held answers go out. */
  committed(): void;
  /** The batch was rolled back: memory must be read from disk again. */
  rolledBack(): void;
}

/**
 * Collects all writes of one turn of the event loop in one SQLite transaction,
 * so that they share one fsync; answers and watch events go out after it.
 *
 * ```
 *   poll phase:  write write read write     check phase:  COMMIT → events → answers
 * ```
 * A read that follows an uncommitted write waits for the commit as well:
 * nobody ever sees a state that a crash could take back.
 */
export class GroupCommit {
  readonly #database: DatabaseSync;
  #listener: CommitListener | undefined;
  #held: HeldReply[] = [];
  #open = false;
  #noSpace = false;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Sets who hears of commits; once, before the first write. */
  listen(listener: CommitListener): void {
    this.#listener = listener;
  }

  /** Whether the disk had no room for the last write: etcd's alarm `NOSPACE`, until a write succeeds again. */
  get noSpace(): boolean {
    return this.#noSpace;
  }

  /** Whether writes are waiting for their commit. */
  get pending(): boolean {
    return this.#open;
  }

  /** Makes sure a transaction is open; every write calls it first. */
  begin(): void {
    if (this.#open) return;
    this.#database.exec('BEGIN IMMEDIATE');
    this.#open = true;
    setImmediate(this.#flushLater);
  }

  /** Releases `reply` now, or after the commit of what has been written so far. */
  hold(reply: HeldReply): void {
    if (this.#open) this.#held.push(reply);
    else reply.release();
  }

  /** Commits now what has been written. */
  flush(): void {
    if (!this.#open) return;
    try {
      this.#database.exec('COMMIT');
    } catch (error) {
      this.abort(error);
      return;
    }
    this.#open = false;
    this.#noSpace = false;
    const held = this.#held;
    this.#held = [];
    this.#listener?.committed();
    for (const reply of held) reply.release();
  }

  /** Gives up the open batch after a failed statement; answers the error to tell the client. */
  abort(cause: unknown): EtcdError {
    this.#noSpace = isDiskFull(cause);
    const error = this.#noSpace
      ? etcdError('noSpace', cause)
      : new EtcdErrorClass(GrpcCode.internal, `embedded-etcd: write failed: ${messageOf(cause)}`, { cause });
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#open = false;
    const held = this.#held;
    this.#held = [];
    this.#listener?.rolledBack();
    for (const reply of held) reply.abandon(error);
    return error;
  }

  readonly #flushLater = (): void => this.flush();
}
