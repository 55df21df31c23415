import { FieldPath, internalError, invalid, invalidValue, messageOf, unclassifiedError } from '@kubechain/apimachinery';
import type { Service, ServicePort } from '@kubechain/apimachinery/types/core/v1';
import type { PortOperation } from './port-operation.ts';
import { allocatesNodePorts, mayHaveNodePorts, needsHealthCheckPort, nodePortsOf, specOf } from './service-view.ts';

const portsPath = FieldPath.of('spec', 'ports');

/**
 * Node ports of a new service. Service ports of one number (TCP and UDP) share one node port (initNodePorts of
 * pkg/registry/core/service/storage, 1.36).
 * @throws StatusError
 */
export async function allocateNodePorts(service: Service, operation: PortOperation): Promise<void> {
  if (!mayHaveNodePorts(service)) return;
  const ports = specOf(service).ports ?? [];
  const byPort = new Map<number, number>();
  // The first that is asked for by a port of each number, which comes last here.
  const asked = new Map(ports.toReversed().flatMap(({ nodePort, port }) => (nodePort ? [[port, nodePort]] : [])));
  for (const [i, port] of ports.entries()) {
    if (!port.nodePort && !allocatesNodePorts(service)) continue;
    const shared = byPort.get(port.port);
    if (shared === undefined) {
      const wanted = asked.get(port.port);
      if (wanted === undefined) port.nodePort = await anyPort(operation);
      else {
        await thisPort(operation, service, { i, port: wanted });
        port.nodePort = wanted;
      }
      byPort.set(port.port, port.nodePort);
    } else if (!port.nodePort) port.nodePort = shared;
    else if (port.nodePort !== shared) await thisPort(operation, service, { i, port: port.nodePort });
  }
}

/**
 * Node ports of a service that changes: new ones are taken now, those that it has no more are freed in the end. @throws
 * StatusError
 */
export async function updateNodePorts(service: Service, old: Service, operation: PortOperation): Promise<void> {
  const before = nodePortsOf(old);
  if (mayHaveNodePorts(service)) {
    await takeNewPorts(service, before, operation);
    const kept = nodePortsOf(service);
    for (const port of before) if (!kept.includes(port)) operation.releaseLater(port);
  } else if (mayHaveNodePorts(old)) for (const port of before) operation.releaseLater(port);

  if (!needsHealthCheckPort(old) && needsHealthCheckPort(service)) await allocateHealthCheckPort(service, operation);
  else if (needsHealthCheckPort(old) && !needsHealthCheckPort(service) && old.spec?.healthCheckNodePort)
    operation.releaseLater(old.spec.healthCheckNodePort);
}

async function takeNewPorts(service: Service, before: readonly number[], operation: PortOperation): Promise<void> {
  const taken = new Set(before);
  const seen = new Set<string>();
  for (const [i, port] of (specOf(service).ports ?? []).entries()) {
    if (!port.nodePort) {
      if (!allocatesNodePorts(service)) continue;
      port.nodePort = await anyPort(operation);
    } else if (!taken.has(port.nodePort)) {
      await thisPort(operation, service, { i, port: port.nodePort });
      taken.add(port.nodePort);
    }
    refuseTwice(port, seen);
  }
}

function refuseTwice({ nodePort, protocol }: ServicePort, seen: Set<string>): void {
  const key = `{${protocol ?? ''} ${nodePort ?? 0}}`;
  if (seen.has(key)) throw unclassifiedError(`duplicate nodePort: ${key}`);
  seen.add(key);
}

/**
 * The port for health checks of a load balancer with local traffic: the one that it names, or any. @throws StatusError
 * InternalError
 */
export async function allocateHealthCheckPort(service: Service, operation: PortOperation): Promise<void> {
  const spec = specOf(service);
  const wanted = spec.healthCheckNodePort ?? 0;
  try {
    if (wanted !== 0) await operation.allocate(wanted);
    else spec.healthCheckNodePort = await operation.allocateNext();
  } catch (error) {
    throw internalError(
      `failed to allocate ${wanted === 0 ? 'a' : 'requested'} HealthCheck NodePort ${wanted}: ${messageOf(error)}`,
    );
  }
}

async function thisPort(
  operation: PortOperation,
  service: Service,
  { i, port }: { readonly i: number; readonly port: number },
): Promise<void> {
  try {
    await operation.allocate(port);
  } catch (error) {
    throw invalid({ group: '', kind: 'Service' }, service.metadata?.name ?? '', [
      invalidValue(portsPath.index(i).child('nodePort'), port, messageOf(error)),
    ]);
  }
}

async function anyPort(operation: PortOperation): Promise<number> {
  try {
    return await operation.allocateNext();
  } catch (error) {
    throw internalError(`failed to allocate a nodePort: ${messageOf(error)}`);
  }
}
