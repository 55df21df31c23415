import type { KubeObject } from '@kubechain/apimachinery';
import type { Service } from '@kubechain/apimachinery/types/core/v1';
import { everything, internalContext } from '@kubechain/apiserver/resources';
import type { Store } from '@kubechain/apiserver/resources';
import { nodePortsOf } from '../../../service-allocation/service-view.ts';
import { PortBitmap } from '../../../service-allocation/port-bitmap.ts';
import { hasPort } from '../../../service-allocation/port-range.ts';
import type { NodePortRepairMetrics } from './node-port-repair-metrics.ts';
import type { PortRange } from '../../../service-allocation/port-range.ts';
import type { RangeAllocation, RangeAllocationStorage } from '../../../service-allocation/range-allocation-storage.ts';

/** A port that no service has stays taken for so many passes: its service may just be being written. */
const passesBeforeLeak = 3;

export interface RepairNodePortsOptions {
  readonly services: Store;
  readonly stored: RangeAllocationStorage;
  readonly range: PortRange;
  /** Told what was wrong, in a line each. */
  readonly report: (message: string) => void;
  readonly metrics?: NodePortRepairMetrics | undefined;
}

/**
 * Keeps the object of node ports in line with what services have: makes it where it is missing, takes ports that
 * services have and it does not, and frees those that nobody has had for some passes
 * (pkg/registry/core/service/portallocator/controller, 1.36).
 */
export class NodePortRepair {
  readonly #options: RepairNodePortsOptions;
  /** Passes that are left for ports that nobody has. */
  readonly #leaks = new Map<number, number>();

  constructor(options: RepairNodePortsOptions) {
    this.#options = options;
  }

  /** One pass. The write loses to any allocation between reading and writing, and is then made again. */
  async run(): Promise<void> {
    const { range, services, stored } = this.#options;
    const before = await stored.storage.get(stored.key, { ignoreNotFound: true });
    const { items } = await services.list(internalContext({ groupResource: { group: '', resource: 'services' } }), {
      predicate: everything,
      resourceVersion: '',
      resourceVersionMatch: '',
      limit: 0,
      continue: '',
    });
    const held = before?.object() as RangeAllocation | undefined;
    const rebuilt = this.#rebuild(
      new PortBitmap(range, held?.range === range.text ? held.data : ''),
      items.map((item) => item.object() as Service),
    );
    await stored.storage
      .guaranteedUpdate(
        stored.key,
        ({ object, record }) => {
          if (record?.revision !== before?.revision) throw new ChangedMeanwhile();
          const allocation: KubeObject = { apiVersion: 'v1', kind: 'RangeAllocation', ...object };
          return { object: { ...allocation, range: range.text, data: rebuilt.data } };
        },
        { ignoreNotFound: true },
      )
      .catch(async (error: unknown) => {
        if (!(error instanceof ChangedMeanwhile)) throw error;
        await this.run();
      });
  }

  #rebuild(held: PortBitmap, services: readonly Service[]): PortBitmap {
    const { metrics, range, report } = this.#options;
    const rebuilt = new PortBitmap(range);
    for (const service of services) {
      const label = `service ${service.metadata?.namespace ?? ''}/${service.metadata?.name ?? ''}`;
      for (const port of portsOf(service)) {
        if (!hasPort(range, port)) {
          metrics?.found('outOfRange');
          report(
            `node port ${port} of ${label} is not within the port range ${range.text}; please recreate the service`,
          );
        } else if (rebuilt.has(port)) {
          metrics?.found('duplicate');
          report(`node port ${port} of ${label} was assigned to several services; please recreate it`);
        } else {
          if (!held.has(port)) {
            metrics?.found('repair');
            report(`node port ${port} of ${label} is not allocated; repairing`);
          }
          rebuilt.add(port);
          this.#leaks.delete(port);
        }
      }
    }
    for (const port of held.ports()) {
      if (rebuilt.has(port)) continue;
      const left = this.#leaks.get(port) ?? passesBeforeLeak;
      if (left > 0) {
        this.#leaks.set(port, left - 1);
        rebuilt.add(port);
      } else {
        metrics?.found('leak');
        report(`node port ${port} appears to have leaked: cleaning up`);
        this.#leaks.delete(port);
      }
    }
    return rebuilt;
  }
}

class ChangedMeanwhile extends Error {}

/** One port may serve two protocols of a service; the port for health checks is a TCP one. */
function portsOf(service: Service): number[] {
  const health = service.spec?.healthCheckNodePort ?? 0;
  return [...new Set([...nodePortsOf(service), ...(health === 0 ? [] : [health])])];
}
