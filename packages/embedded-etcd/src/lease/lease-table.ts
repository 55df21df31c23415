import type { DatabaseSync, StatementSync } from 'node:sqlite';

/** A lease as kept in the data file. */
export interface LeaseRow {
  readonly id: number;
  /** Granted seconds. */
  readonly ttl: number;
  /** Wall-clock milliseconds when it expires; null once it has been kept alive (see `Lessor`). */
  readonly deadline: number | null;
}

/** The statements on the `leases` table. */
export class LeaseTable {
  readonly #save: StatementSync;
  readonly #delete: StatementSync;
  readonly #all: StatementSync;

  constructor(database: DatabaseSync) {
    this.#save = database.prepare(
      'INSERT INTO leases (id, ttl, deadline) VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET ttl = ' +
        'excluded.ttl, deadline = excluded.deadline',
    );
    this.#delete = database.prepare('DELETE FROM leases WHERE id = ?');
    this.#all = database.prepare('SELECT id, ttl, deadline FROM leases');
  }

  save(row: LeaseRow): void {
    this.#save.run(row.id, row.ttl, row.deadline);
  }

  delete(id: number): void {
    this.#delete.run(id);
  }

  all(): LeaseRow[] {
    return this.#all.all() as unknown as LeaseRow[];
  }
}
