import { expect } from 'chai';

/**
 * What a watcher is told about one object. `write` names the write that made its content (for DELETED: its last one).
 */
export interface Change {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: number;
  readonly name: string;
  readonly write: string;
  /** Whether the content matches the selection that some watchers watch with. */
  readonly selected: boolean;
}

/** One state of one object: there from `from` until before `to`. */
export interface Version {
  readonly from: number;
  to: number;
  readonly write: string;
  readonly selected: boolean;
}

/** Everything that happened to the objects, in order: the truth that clients' stories are compared with. */
export class Timeline {
  readonly changes: readonly Change[];
  readonly #versions = new Map<string, Version[]>();

  /** @param changes all changes from an empty state on. @throws AssertionError when they contradict each other */
  constructor(changes: readonly Change[]) {
    this.changes = changes;
    let last = 0;
    for (const { type, revision, name, write, selected } of changes) {
      expect(revision, `${name}: the truth goes back in time`).to.be.above(last);
      last = revision;
      const versions = this.#versions.get(name) ?? [];
      this.#versions.set(name, versions);
      const current = versions.at(-1);
      const exists = current !== undefined && current.to === Infinity;
      expect(exists, `${type} ${name}@${revision}`).to.equal(type !== 'ADDED');
      if (exists) current.to = revision;
      if (type !== 'DELETED') versions.push({ from: revision, to: Infinity, write, selected });
    }
  }

  /** States of one object in order, gaps between them where it did not exist. */
  versions(name: string): readonly Version[] {
    return this.#versions.get(name) ?? [];
  }

  /** Write by name of what existed at a revision, in name order. */
  stateAt(revision: number, options: { readonly selectedOnly?: boolean } = {}): [name: string, write: string][] {
    const state: [string, string][] = [];
    for (const [name, versions] of this.#versions) {
      const version = versions.find(({ from, to }) => from <= revision && revision < to);
      if (version !== undefined && (options.selectedOnly !== true || version.selected))
        state.push([name, version.write]);
    }
    return state.sort(([a], [b]) => (a < b ? -1 : 1));
  }

  /** The changes after `after` up to `to`, as a watcher of everything or of the selection is told them. */
  seen(after: number, to: number, selectedOnly: boolean): Change[] {
    const within = this.changes.filter(({ revision }) => revision > after && revision <= to);
    return selectedOnly ? within.flatMap((change) => this.#asSelected(change)) : within;
  }

  #asSelected(change: Change): Change[] {
    const before = this.#versions.get(change.name)?.find(({ to }) => to === change.revision);
    const was = before?.selected === true;
    const is = change.type !== 'DELETED' && change.selected;
    if (is) return [{ ...change, type: was ? 'MODIFIED' : 'ADDED' }];
    return was ? [{ ...change, type: 'DELETED', write: before.write, selected: true }] : [];
  }
}
