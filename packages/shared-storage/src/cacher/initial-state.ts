import type { ObjectRecord } from '../storage/interfaces.ts';
import type { RecordTree } from './record-tree.ts';

/** Records read from the tree at once while a watch's initial state is sent. */
const CHUNK = 256;

/** The state that a watch begins with, read piece by piece so that a slow client costs no copy of it. */
export interface InitialState {
  /** The next record in key order, undefined when there is none. */
  next(): ObjectRecord | undefined;
}

/** Records of a list that is already there. */
export class ListedState implements InitialState {
  readonly #records: readonly ObjectRecord[];
  #index = 0;
  constructor(records: readonly ObjectRecord[]) {
    this.#records = records;
  }
  next(): ObjectRecord | undefined {
    return this.#records[this.#index++];
  }
}

/** Records of a snapshot in [start, end). */
export class TreeState implements InitialState {
  readonly #tree: RecordTree;
  readonly #end: string;
  #start: string;
  #chunk: readonly ObjectRecord[] = [];
  #index = 0;

  constructor(tree: RecordTree, start: string, end: string) {
    this.#tree = tree;
    this.#start = start;
    this.#end = end;
  }

  next(): ObjectRecord | undefined {
    if (this.#index === this.#chunk.length) {
      if (this.#index > 0 && this.#index < CHUNK) return undefined;
      this.#chunk = this.#tree.range(this.#start, this.#end, CHUNK);
      this.#index = 0;
      const last = this.#chunk.at(-1);
      if (last === undefined) return undefined;
      this.#start = `${last.key}\0`;
    }
    return this.#chunk[this.#index++];
  }
}
