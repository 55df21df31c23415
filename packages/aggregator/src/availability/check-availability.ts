import { localAvailability, type Availability } from '../apiservice/conditions.ts';
import { RemoteAskError, askRemote } from '../remote/ask-remote.ts';
import type { RemoteService } from '../remote/remote-service.ts';
import { ServiceResolutionError } from '@kubechain/apiserver/proxies';
import type { Services } from '@kubechain/apiserver/proxies';
import { messageOf } from '@kubechain/apimachinery';

/** The reference asks so many times at once, since one service may have many endpoints; one success is enough. */
const attempts = 5;
const attemptTimeoutMs = 5_000;

const passed: Availability = { status: 'True', reason: 'Passed', message: 'all checks passed' };

/** What one look at an APIService found. `retry`: ask again soon, by itself. */
export interface CheckResult {
  readonly availability: Availability;
  readonly retry: boolean;
}

/**
 * Whether requests for an APIService would be answered (kube-aggregator's AvailableConditionController, 1.36): its
 * service exists, has the port and ready endpoints, and the server gives its discovery document within five seconds.
 * Undefined when it cannot be said (a caBundle that is none): the condition stays as it is.
 */
export async function checkAvailability(
  remote: RemoteService,
  services: Services,
  signal: AbortSignal,
): Promise<CheckResult | undefined> {
  const { namespace = '', name = '', port = 443 } = remote.spec.service ?? {};
  if (remote.spec.service === undefined) return { availability: localAvailability, retry: false };
  const missing = missingPart(services, { namespace, name, port });
  if (missing !== undefined) return { availability: missing, retry: false };
  if (remote.lookingError !== undefined) return undefined;
  try {
    await Promise.any(Array.from({ length: attempts }, () => askDiscovery(remote, signal)));
    return { availability: passed, retry: false };
  } catch (error) {
    const last: unknown = error instanceof AggregateError ? error.errors.at(-1) : error;
    return {
      availability: unavailable('FailedDiscoveryCheck', messageOf(last)),
      retry: true,
    };
  }
}

function missingPart(
  services: Services,
  { namespace, name, port }: { readonly namespace: string; readonly name: string; readonly port: number },
): Availability | undefined {
  const service = services.service(namespace, name);
  const where = `service/${name} in ${JSON.stringify(namespace)}`;
  if (service === undefined) return unavailable('ServiceNotFound', `${where} is not present`);
  if (service.type !== 'ClusterIP') return undefined;
  const listening = service.ports.find((candidate) => candidate.port === port);
  if (listening === undefined) return unavailable('ServicePortError', `${where} is not listening on port ${port}`);
  const slices = services.slices(namespace, name);
  if (slices.length === 0) return unavailable('EndpointsNotFound', `cannot find endpointslices for ${where}`);
  const active = slices.some(
    (slice) => slice.readyAddresses.length > 0 && slice.ports.some((candidate) => candidate.name === listening.name),
  );
  return active
    ? undefined
    : unavailable(
        'MissingEndpoints',
        `endpointslices for ${where} have no addresses with port name ${JSON.stringify(listening.name)}`,
      );
}

async function askDiscovery(remote: RemoteService, signal: AbortSignal): Promise<void> {
  let address: string;
  try {
    address = remote.address();
  } catch (error) {
    if (error instanceof ServiceResolutionError) throw new RemoteAskError(error.message, { cause: error });
    throw error;
  }
  const url = `https://${address}${remote.discoveryPath}`;
  try {
    const { status } = await askRemote(remote, {
      address,
      path: remote.discoveryPath,
      proxied: false,
      statusOnly: true,
      timeoutMs: attemptTimeoutMs,
      signal,
    });
    if (status < 200 || status >= 300) throw new RemoteAskError(`bad status from ${url}: ${status}`);
  } catch (error) {
    throw new RemoteAskError(`failing or missing response from ${url}: ${messageOf(error)}`, { cause: error });
  }
}

function unavailable(reason: string, message: string): Availability {
  return { status: 'False', reason, message };
}
