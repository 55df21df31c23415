import { Quantity } from '@kubechain/apimachinery';
import { aggregateContainerResources } from '@kubechain/component-helpers';
import type { Container, Pod } from '@kubechain/apimachinery/types/core/v1';

/** Amounts by resource: thousandths of a CPU, else whole units. Doubles: no node has 2^53 bytes. */
export type Demand = ReadonlyMap<string, number>;

/** A port of a node that a pod takes. */
export interface HostPort {
  readonly ip: string;
  readonly protocol: string;
  readonly port: number;
}

export function amountOf(resource: string, quantity: Quantity): number {
  const value = Number(quantity.value) * 10 ** quantity.scale;
  return resource === 'cpu' ? Math.ceil(value * 1_000) : Math.ceil(value);
}

/** What a pod takes of its node: its containers' requests, or the pod's own, and the overhead of its runtime. */
export function demandOf({ spec }: Pod): Demand {
  const demand = new Map<string, number>();
  if (spec === undefined) return demand;
  for (const [name, quantity] of aggregateContainerResources(spec, 'requests'))
    demand.set(name, amountOf(name, quantity));
  for (const [name, text] of Object.entries(spec.resources?.requests ?? {}))
    demand.set(name, amountOf(name, Quantity.parse(text)));
  for (const [name, text] of Object.entries(spec.overhead ?? {}))
    demand.set(name, (demand.get(name) ?? 0) + amountOf(name, Quantity.parse(text)));
  return demand;
}

/** What a container that asks for none is counted with where nodes are weighed (DefaultMilliCPURequest and …Memory…). */
const assumed = { cpu: '100m', memory: '200Mi' } as const;

/** The same with an assumed request of CPU and memory for each container that has none. */
export function assumedDemandOf(pod: Pod): Demand {
  const { spec } = pod;
  if (spec === undefined) return new Map();
  const filled = (container: Container): Container => ({
    ...container,
    resources: { ...container.resources, requests: { ...assumed, ...container.resources?.requests } },
  });
  const { containers, initContainers = [] } = spec;
  return demandOf({
    ...pod,
    spec: { ...spec, containers: containers.map(filled), initContainers: initContainers.map(filled) },
  });
}

export function hostPortsOf({ spec }: Pod): readonly HostPort[] {
  const sidecars = (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...(spec?.containers ?? []), ...sidecars].flatMap(({ ports = [] }) =>
    ports
      .filter(({ hostPort }) => (hostPort ?? 0) > 0)
      .map(({ hostIP, hostPort, protocol }) => ({
        ip: hostIP === undefined || hostIP === '' ? '0.0.0.0' : hostIP,
        protocol: protocol ?? 'TCP',
        port: hostPort ?? 0,
      })),
  );
}

/** Whether both cannot be taken on one node. */
export function portsClash(a: HostPort, b: HostPort): boolean {
  return a.port === b.port && a.protocol === b.protocol && (a.ip === b.ip || a.ip === '0.0.0.0' || b.ip === '0.0.0.0');
}
