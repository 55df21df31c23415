import type { ObjectRecord } from '../storage/interfaces.ts';

/*
 * A B+ tree of records in key order whose snapshots cost nothing until somebody writes:
 *
 *           root (owner B) ── first key and size of every subtree
 *          /      |       \
 *     leaf (A)  leaf (A)  leaf (B)      records, sorted, at most 64
 *
 * Every node carries the owner token of the tree that made it. A tree changes its own nodes in place and copies foreign
 * ones on the way down; `snapshot` gives both sides fresh tokens, so that from then on neither owns the shared nodes.
 */

/** Nodes hold at most this many records or children; 32 to 128 measured within 10 % of each other. */
const MAX_ENTRIES = 64;
/** Neighbours are merged when one has fallen below this. */
const MIN_ENTRIES = 16;
/** Bulk loading leaves room for a few insertions before the first split. */
const LOAD_ENTRIES = 56;

type Owner = object;

class TreeNode {
  readonly owner: Owner;
  /** Empty in inner nodes. */
  readonly records: ObjectRecord[];
  /** Undefined in leaves. */
  readonly children: TreeNode[] | undefined;
  /** Records in the whole subtree. */
  size: number;
  /** Not above any key in the subtree and above all keys of the sibling before. */
  first: string;
  constructor(owner: Owner, records: ObjectRecord[], children: TreeNode[] | undefined) {
    this.owner = owner;
    this.records = records;
    this.children = children;
    this.size = 0;
    this.first = children === undefined ? (records[0]?.key ?? '') : children[0]!.first;
    this.resize();
  }
  resize(): void {
    if (this.children === undefined) this.size = this.records.length;
    else {
      let size = 0;
      for (const child of this.children) size += child.size;
      this.size = size;
    }
  }
  get entries(): number {
    return this.children === undefined ? this.records.length : this.children.length;
  }
}

/** Records by key, ordered; `snapshot` is O(1), everything else O(log n). Keys are compared by UTF-16 code units. */
export class RecordTree {
  #owner: Owner = {};
  #root: TreeNode | undefined;
  #replaced: ObjectRecord | undefined;

  /** Loads records that are already in key order and distinct. */
  static fromSorted(records: readonly ObjectRecord[]): RecordTree {
    const tree = new RecordTree();
    if (records.length === 0) return tree;
    let level: TreeNode[] = [];
    for (let i = 0; i < records.length; i += LOAD_ENTRIES)
      level.push(new TreeNode(tree.#owner, records.slice(i, i + LOAD_ENTRIES), undefined));
    while (level.length > 1) {
      const above: TreeNode[] = [];
      for (let i = 0; i < level.length; i += LOAD_ENTRIES)
        above.push(new TreeNode(tree.#owner, [], level.slice(i, i + LOAD_ENTRIES)));
      level = above;
    }
    tree.#root = level[0];
    return tree;
  }

  get size(): number {
    return this.#root?.size ?? 0;
  }

  /** An independent tree with the same content; both may be changed. */
  snapshot(): RecordTree {
    const copy = new RecordTree();
    copy.#root = this.#root;
    this.#owner = {};
    return copy;
  }

  get(key: string): ObjectRecord | undefined {
    let node = this.#root;
    if (node === undefined) return undefined;
    while (node.children !== undefined) node = node.children[childIndex(node.children, key)]!;
    const record = node.records[lowerBound(node.records, key)];
    return record !== undefined && record.key === key ? record : undefined;
  }

  /** Adds or replaces; returns what was there. */
  set(record: ObjectRecord): ObjectRecord | undefined {
    if (this.#root === undefined) {
      this.#root = new TreeNode(this.#owner, [record], undefined);
      return undefined;
    }
    this.#replaced = undefined;
    const root = this.#own(this.#root);
    const right = this.#insert(root, record);
    this.#root = right === undefined ? root : new TreeNode(this.#owner, [], [root, right]);
    return this.#replaced;
  }

  /** Removes; returns what was there. */
  delete(key: string): ObjectRecord | undefined {
    const record = this.get(key);
    if (record === undefined) return undefined;
    let root = this.#own(this.#root!);
    this.#remove(root, key);
    while (root.children !== undefined && root.children.length === 1) root = root.children[0]!;
    this.#root = root.size === 0 ? undefined : root;
    return record;
  }

  /** Number of keys below `key`. */
  rank(key: string): number {
    let node = this.#root;
    if (node === undefined) return 0;
    let rank = 0;
    while (node.children !== undefined) {
      const index = childIndex(node.children, key);
      for (let i = 0; i < index; i++) rank += node.children[i]!.size;
      node = node.children[index]!;
    }
    return rank + lowerBound(node.records, key);
  }

  /** Number of keys in [start, end). */
  count(start: string, end: string): number {
    return Math.max(0, this.rank(end) - this.rank(start));
  }

  /** The first `limit` records with keys in [start, end), in order. */
  range(start: string, end: string, limit = Infinity): ObjectRecord[] {
    const result: ObjectRecord[] = [];
    if (this.#root !== undefined) collect(this.#root, { start, end, limit, result });
    return result;
  }

  #own(node: TreeNode): TreeNode {
    if (node.owner === this.#owner) return node;
    const copy = new TreeNode(
      this.#owner,
      node.children === undefined ? node.records.slice() : [],
      node.children?.slice(),
    );
    copy.first = node.first;
    return copy;
  }

  /** Inserts below an owned node; returns the new right neighbour when the node had to be split. */
  #insert(node: TreeNode, record: ObjectRecord): TreeNode | undefined {
    const key = record.key;
    const { children, records } = node;
    if (key < node.first) node.first = key;
    if (children === undefined) {
      const index = lowerBound(records, key);
      const present = records[index];
      if (present !== undefined && present.key === key) {
        this.#replaced = present;
        records[index] = record;
        return undefined;
      }
      records.splice(index, 0, record);
      node.size++;
      if (records.length <= MAX_ENTRIES) return undefined;
      // Keys often arrive in order: then a split in the middle would leave every leaf half empty.
      const right = new TreeNode(
        this.#owner,
        records.splice(index === records.length - 1 ? LOAD_ENTRIES : records.length >> 1),
        undefined,
      );
      node.size = records.length;
      return right;
    }
    const index = childIndex(children, key);
    const child = this.#own(children[index]!);
    children[index] = child;
    const before = child.size;
    const split = this.#insert(child, record);
    node.size += child.size - before;
    if (split === undefined) return undefined;
    node.size += split.size;
    children.splice(index + 1, 0, split);
    if (children.length <= MAX_ENTRIES) return undefined;
    const right = new TreeNode(this.#owner, [], children.splice(children.length >> 1));
    node.size -= right.size;
    return right;
  }

  /** Removes a key that is there from below an owned node. */
  #remove(node: TreeNode, key: string): void {
    const { children, records } = node;
    node.size--;
    if (children === undefined) {
      records.splice(lowerBound(records, key), 1);
      return;
    }
    const index = childIndex(children, key);
    const child = this.#own(children[index]!);
    children[index] = child;
    this.#remove(child, key);
    if (child.size === 0) children.splice(index, 1);
    else if (child.entries < MIN_ENTRIES) this.#merge(children, index > 0 ? index - 1 : index);
  }

  /** Joins `children[index]` with its right neighbour when both fit into one node with room to spare. */
  #merge(children: TreeNode[], index: number): void {
    const left = children[index];
    const right = children[index + 1];
    if (left === undefined || right === undefined || left.entries + right.entries > LOAD_ENTRIES) return;
    const merged = new TreeNode(
      this.#owner,
      left.records.concat(right.records),
      left.children === undefined ? undefined : left.children.concat(right.children!),
    );
    merged.first = left.first;
    children.splice(index, 2, merged);
  }
}

/** Index of the child that holds `key` or would hold it. */
function childIndex(children: readonly TreeNode[], key: string): number {
  let low = 0;
  let high = children.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (children[middle]!.first <= key) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Index of the first record whose key is not below `key`. */
function lowerBound(records: readonly ObjectRecord[], key: string): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (records[middle]!.key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What a read collects, made once for each: at most `limit` records with keys in [start, end). */
interface Collection {
  readonly start: string;
  readonly end: string;
  readonly limit: number;
  readonly result: ObjectRecord[];
}

/** Appends what is in range; false when nothing further to the right can be. */
function collect({ children, records }: TreeNode, collection: Collection): boolean {
  const { start, end, limit, result } = collection;
  if (children === undefined) {
    for (let i = lowerBound(records, start); i < records.length; i++) {
      const record = records[i]!;
      if (result.length >= limit || record.key >= end) return false;
      result.push(record);
    }
    return result.length < limit;
  }
  for (let i = childIndex(children, start); i < children.length; i++) {
    if (!collect(children[i]!, collection)) return false;
  }
  return true;
}
