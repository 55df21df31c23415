/** Below these counts go-yaml lets anything pass. */
const ALIASED_FLOOR = 100,
  NODES_FLOOR = 1_000;
/** Up to the first 99 % of all nodes may come from aliases, from the second on 10 %. */
const SMALL_DOCUMENT = 400_000,
  LARGE_DOCUMENT = 4_000_000;

/** Counts nodes as go-yaml (v2.4, decode.go) does to refuse documents that are mostly expanded aliases. */
export class AliasBudget {
  /** Nodes read, those behind an alias counted with each use. */
  nodes = 0;
  #aliased = 0;

  /** Nodes that are written where they stand. */
  get written(): number {
    return this.nodes - this.#aliased;
  }

  /** Counts nodes that are written where they stand; whether the document is still within bounds. */
  count(nodes: number): boolean {
    this.nodes += nodes;
    return this.#fits();
  }

  /**
   * Counts what an alias stands for. The share of aliases only grows meanwhile, so that one look at the end is
   * enough.
   */
  countAliased(nodes: number): boolean {
    this.nodes += nodes;
    this.#aliased += nodes;
    return this.#fits();
  }

  #fits(): boolean {
    return (
      this.#aliased <= ALIASED_FLOOR ||
      this.nodes <= NODES_FLOOR ||
      this.#aliased / this.nodes <= allowedShare(this.nodes)
    );
  }
}

function allowedShare(nodes: number): number {
  if (nodes <= SMALL_DOCUMENT) return 0.99;
  if (nodes >= LARGE_DOCUMENT) return 0.1;
  return 0.99 - (0.89 * (nodes - SMALL_DOCUMENT)) / (LARGE_DOCUMENT - SMALL_DOCUMENT);
}
