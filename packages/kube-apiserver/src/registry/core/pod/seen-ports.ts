/** Where a port of a container is, and what it is on the node. */
export interface SeenPort {
  readonly at: string;
  /** '' and 0: none. */
  readonly hostIP: string;
  readonly hostPort: number;
}

/** Those of one port of the node, by the address that they name. */
interface OnNode {
  readonly all: SeenPort[];
  readonly byIP: Map<string, SeenPort[]>;
}

/**
 * The ports of a pod that have one number and protocol. What meets another is found without a look at the rest:
 * thousands of ports would be millions of pairs.
 */
export class SeenPorts {
  readonly #all: SeenPort[] = [];
  readonly #order = new Map<SeenPort, number>();
  readonly #onNode = new Map<number, OnNode>();

  add(port: SeenPort): void {
    this.#order.set(port, this.#all.length);
    this.#all.push(port);
    let onNode = this.#onNode.get(port.hostPort);
    if (onNode === undefined) this.#onNode.set(port.hostPort, (onNode = { all: [], byIP: new Map() }));
    onNode.all.push(port);
    const same = onNode.byIP.get(port.hostIP);
    if (same === undefined) onNode.byIP.set(port.hostIP, [port]);
    else same.push(port);
  }

  /** Those that a further port would repeat, overlap or be confused with, in the order in which they came. */
  meeting(hostIP: string, hostPort: number): readonly SeenPort[] {
    if (hostPort === 0) return this.#all;
    const free = this.#onNode.get(0)?.all ?? [];
    const onNode = this.#onNode.get(hostPort);
    if (onNode === undefined) return free;
    // Two that name different addresses do not meet.
    const near = hostIP === '' ? onNode.all : [...(onNode.byIP.get('') ?? []), ...(onNode.byIP.get(hostIP) ?? [])];
    return [...free, ...near].sort((a, b) => (this.#order.get(a) ?? 0) - (this.#order.get(b) ?? 0));
  }
}
