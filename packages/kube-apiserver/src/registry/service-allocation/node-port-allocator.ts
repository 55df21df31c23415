import type { KubeObject } from '@kubechain/apimachinery';
import type { AllocationMetrics, AllocationScope } from './allocation-metrics.ts';
import { AllocationError } from './allocation-error.ts';
import { PortBitmap } from './port-bitmap.ts';
import { hasPort } from './port-range.ts';
import type { PortRange } from './port-range.ts';
import type { RangeAllocation, RangeAllocationStorage } from './range-allocation-storage.ts';

/**
 * Gives node ports to services. All taken ports stand in one object; each change is compared and swapped, so that
 * processes never give out the same one (pkg/registry/core/service/portallocator, 1.36).
 */
export class NodePortAllocator {
  readonly range: PortRange;
  readonly #stored: RangeAllocationStorage;
  readonly #random: () => number;
  readonly #metrics: AllocationMetrics | undefined;

  /** @param metrics default: nothing is counted */
  constructor(range: PortRange, stored: RangeAllocationStorage, random: () => number, metrics?: AllocationMetrics) {
    this.range = range;
    this.#metrics = metrics;
    this.#stored = stored;
    this.#random = random;
  }

  /** Takes this port. @throws AllocationError NotInRange or Allocated */
  async allocate(port: number): Promise<void> {
    await this.#counted('static', () => {
      this.requireInRange(port);
      return this.#change((ports) => {
        if (ports.has(port)) throw portTaken();
        ports.add(port);
      });
    });
  }

  /** Takes any port. @throws AllocationError Full */
  async allocateNext(): Promise<number> {
    let taken = 0;
    // Drawn once: how often the change is tried does not shift what others get.
    const drawn = this.#random();
    await this.#counted('dynamic', () =>
      this.#change((ports) => {
        const port = ports.findFree(() => drawn);
        if (port === undefined) throw new AllocationError('Full', 'range is full');
        ports.add(port);
        taken = port;
      }),
    );
    return taken;
  }

  /** Frees a port; one that is free or not of the range stays as it is. */
  async release(port: number): Promise<void> {
    if (hasPort(this.range, port))
      await this.#change((ports) => {
        ports.remove(port);
      });
  }

  /** What is taken now. */
  async taken(): Promise<PortBitmap> {
    const record = await this.#stored.storage.get(this.#stored.key, { ignoreNotFound: true });
    return new PortBitmap(this.range, (record?.object() as RangeAllocation | undefined)?.data);
  }

  /** @throws AllocationError NotInRange */
  requireInRange(port: number): void {
    if (!hasPort(this.range, port))
      throw new AllocationError(
        'NotInRange',
        `provided port is not in the valid range. The range of valid ports is ${this.range.text}`,
      );
  }

  async #counted(scope: AllocationScope, allocate: () => Promise<void>): Promise<void> {
    try {
      await allocate();
    } catch (error) {
      this.#metrics?.portRefused(scope);
      throw error;
    }
    this.#metrics?.portTaken(scope);
  }

  async #change(change: (ports: PortBitmap) => void): Promise<void> {
    const { key, storage } = this.#stored;
    let inUse = 0;
    await storage.guaranteedUpdate(
      key,
      ({ object, record }) => {
        if (object === undefined || record === undefined)
          throw new AllocationError(
            'NotInitialized',
            'cannot allocate resources of type servicenodeportallocations at this time',
          );
        const stored: RangeAllocation = object;
        if (stored.range !== this.range.text)
          throw new AllocationError('MismatchedNetwork', 'the provided range does not match the current range');
        const ports = new PortBitmap(this.range, stored.data);
        change(ports);
        if (this.#metrics !== undefined) inUse = [...ports.ports()].length;
        return { object: { ...stored, range: this.range.text, data: ports.data } as KubeObject };
      },
      { ignoreNotFound: true },
    );
    this.#metrics?.portsInUse(inUse, this.range.size - inUse);
  }
}

/** The error of a port that somebody has. */
export function portTaken(): AllocationError {
  return new AllocationError('Allocated', 'provided port is already allocated');
}
