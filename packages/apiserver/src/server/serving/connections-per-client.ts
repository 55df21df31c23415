import type { Socket } from 'node:net';

/** Counts the connections of each address, so that none can hold all that a process has files and memory for. */
export class ConnectionsPerClient {
  readonly #most: number;
  readonly #counts = new Map<string, number>();

  /** @param most connections of one address; 0 is any number */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a connection until it closes; false, and not counted, where its address has as many as it may. */
  add(socket: Socket): boolean {
    const { remoteAddress } = socket;
    if (this.#most === 0 || remoteAddress === undefined) return true;
    const count = this.#counts.get(remoteAddress) ?? 0;
    if (count >= this.#most) return false;
    this.#counts.set(remoteAddress, count + 1);
    socket.once('close', () => {
      const left = (this.#counts.get(remoteAddress) ?? 0) - 1;
      if (left > 0) this.#counts.set(remoteAddress, left);
      else this.#counts.delete(remoteAddress);
    });
    return true;
  }
}
