import type { NodePortAllocator } from './node-port-allocator.ts';
import { portTaken } from './node-port-allocator.ts';

/** A dry run that needs some port names this one, or the one after those that it has. */
const firstMadeUpPort = 32_769;

/**
 * The node ports of one write: those taken are given back if it fails, those to be freed are freed when it has
 * succeeded (portallocator.PortAllocationOperation, 1.36). A dry run looks and takes nothing.
 */
export class PortOperation {
  readonly #allocator: NodePortAllocator;
  readonly #dryRun: boolean;
  readonly #allocated: number[] = [];
  readonly #toRelease: number[] = [];

  constructor(allocator: NodePortAllocator, dryRun: boolean) {
    this.#allocator = allocator;
    this.#dryRun = dryRun;
  }

  /** @throws AllocationError */
  async allocate(port: number): Promise<void> {
    if (!this.#dryRun) await this.#allocator.allocate(port);
    else if (this.#allocated.includes(port) || (await this.#allocator.taken()).has(port)) throw portTaken();
    this.#allocated.push(port);
  }

  /** @throws AllocationError */
  async allocateNext(): Promise<number> {
    const port = this.#dryRun
      ? this.#allocated.length === 0
        ? firstMadeUpPort
        : Math.max(...this.#allocated) + 1
      : await this.#allocator.allocateNext();
    this.#allocated.push(port);
    return port;
  }

  releaseLater(port: number): void {
    this.#toRelease.push(port);
  }

  /** Ends the operation. Failures are left to the repair loop: rather too much stays taken than too little. */
  async finish(success: boolean, onError: (error: unknown) => void): Promise<void> {
    if (this.#dryRun) return;
    for (const port of success ? this.#toRelease : this.#allocated) {
      try {
        await this.#allocator.release(port);
      } catch (error) {
        onError(error);
      }
    }
  }
}
