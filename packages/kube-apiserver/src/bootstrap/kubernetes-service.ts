import { isAlreadyExists, isNotFound } from '@kubechain/apimachinery';
import type { Clock, KubeObject, ObjectMeta } from '@kubechain/apimachinery';
import { OwnWrites, Store, internalContext } from '@kubechain/apiserver/resources';
import type { EndpointLeases, RESTContext } from '@kubechain/apiserver/resources';
import { familyOf } from '../registry/service-allocation/ip-range.ts';
import { semanticEqual } from '../registry/semantic-equal.ts';

type NamedObject = KubeObject & { metadata: ObjectMeta };

/** Where clients reach the chain: what the `kubernetes` service stands for. */
export interface ServiceTarget {
  /** First address of --service-cluster-ip-range. */
  readonly clusterIP: string;
  /** --advertise-address */
  readonly address: string;
  readonly port: number;
  /** --kubernetes-service-node-port; 0: the service has none. */
  readonly nodePort: number;
}

const namespace = 'default';
const name = 'kubernetes';

export interface KubernetesServiceOptions {
  readonly target: ServiceTarget;
  readonly storeOf: (group: string, plural: string) => Store;
  /** Undefined: the endpoints are somebody else's (--endpoint-reconciler-type none). */
  readonly leases: EndpointLeases | undefined;
  readonly clock: Clock;
}

/**
 * Service `kubernetes` in the default namespace, made where it is missing, and its endpoints: the API servers that
 * are alive (pkg/controlplane/controller/kubernetesservice and pkg/controlplane/reconcilers, 1.36).
 */
export class KubernetesService {
  readonly #options: KubernetesServiceOptions;
  readonly #services: OwnWrites;
  readonly #endpoints: Objects;
  readonly #slices: Objects;
  #stopped = false;

  constructor(options: KubernetesServiceOptions) {
    this.#options = options;
    const { clock, storeOf } = options;
    const services = storeOf('', 'services');
    this.#services = new OwnWrites(services, { scheme: services.spec.scheme, clock });
    this.#endpoints = new Objects(storeOf('', 'endpoints'), clock);
    this.#slices = new Objects(storeOf('discovery.k8s.io', 'endpointslices'), clock);
  }

  /** One look at what is there. @throws StatusError, StorageError when it cannot be read or written */
  async sync(): Promise<void> {
    if (this.#stopped) return;
    await this.#ensureService();
    await this.#options.leases?.renew({ ip: this.#options.target.address });
    if (!this.#stopped) await this.#writeEndpoints();
  }

  /** Takes this server out of the endpoints. */
  async remove(): Promise<void> {
    this.#stopped = true;
    await this.#options.leases?.remove({ ip: this.#options.target.address });
    await this.#writeEndpoints();
  }

  async #ensureService(): Promise<void> {
    const { storeOf, target } = this.#options;
    const context = contextOf('', 'services');
    try {
      await storeOf('', 'services').get(context, name, { resourceVersion: '' });
    } catch (error) {
      if (!isNotFound(error)) throw error;
      await this.#services.create(context, service(target)).catch((failure: unknown) => {
        if (!isAlreadyExists(failure)) throw failure;
      });
    }
  }

  async #writeEndpoints(): Promise<void> {
    const { leases, target } = this.#options;
    if (leases === undefined) return;
    const { port } = target;
    const addresses = (await leases.list()).map(({ ip }) => ip);
    if (addresses.length === 0 && !this.#stopped) return;
    await this.#endpoints.put(endpoints(addresses, port));
    await this.#slices.put(endpointSlice(addresses, port));
  }
}

/**
 * Writes objects of one resource as they are wanted, without checking them: the address of a server on one machine is a
 * loopback one.
 */
class Objects {
  readonly #store: Store;
  readonly #writes: OwnWrites;
  readonly #context: RESTContext;

  constructor(store: Store, clock: Clock) {
    const { deleteCollectionWorkers, enableGarbageCollection, environment, keyRoot, spec, storage } = store;
    this.#store = new Store({
      spec,
      storage,
      keyRoot,
      enableGarbageCollection,
      deleteCollectionWorkers,
      environment,
      strategy: {},
    });
    this.#writes = new OwnWrites(this.#store, { scheme: this.#store.spec.scheme, clock });
    this.#context = contextOf(spec.group, spec.plural);
  }

  /** Labels of others stay; labels, addresses and ports of ours are set. */
  async put(wanted: NamedObject): Promise<void> {
    let found: KubeObject | undefined;
    try {
      found = (await this.#store.get(this.#context, name, { resourceVersion: '' })).object();
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    if (found === undefined) {
      await this.#writes.create(this.#context, wanted).catch((failure: unknown) => {
        if (!isAlreadyExists(failure)) throw failure;
      });
      return;
    }
    const merged: KubeObject = {
      ...structuredClone(found),
      ...wanted,
      metadata: { ...found.metadata, name, labels: { ...found.metadata?.labels, ...wanted.metadata.labels } },
    };
    if (wanted['subsets'] === undefined) delete merged['subsets'];
    if (semanticEqual(merged, found)) return;
    // Where the first version is counted, the others are.
    if (wanted.metadata.generation !== undefined && merged.metadata !== undefined)
      merged.metadata.generation = (found.metadata?.generation ?? 0) + 1;
    await this.#writes.update(this.#context, merged);
  }
}

function contextOf(group: string, resource: string): RESTContext {
  return internalContext({ groupResource: { group, resource }, namespace });
}

function service({ clusterIP, nodePort, port }: ServiceTarget): NamedObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name, namespace, labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: port, ...(nodePort === 0 ? {} : { nodePort }) }],
      clusterIP,
      ipFamilyPolicy: 'SingleStack',
      sessionAffinity: 'None',
      type: nodePort === 0 ? 'ClusterIP' : 'NodePort',
    },
  };
}

/** Its Endpoints; without addresses there is no subset. */
function endpoints(addresses: readonly string[], port: number): NamedObject {
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { name, namespace, labels: { 'endpointslice.kubernetes.io/skip-mirror': 'true' } },
    ...(addresses.length === 0
      ? {}
      : {
          subsets: [
            {
              addresses: addresses.toSorted().map((ip) => ({ ip })),
              ports: [{ name: 'https', port, protocol: 'TCP' }],
            },
          ],
        }),
  };
}

/** Its EndpointSlice: of IPv6 if all addresses are. */
export function endpointSlice(addresses: readonly string[], port: number): NamedObject {
  const family = addresses.length > 0 && addresses.every((address) => familyOf(address) === 'IPv6') ? 'IPv6' : 'IPv4';
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name, namespace, generation: 1, labels: { 'kubernetes.io/service-name': name } },
    addressType: family,
    endpoints: addresses
      .toSorted()
      .filter((address) => familyOf(address) === family)
      .map((address) => ({ addresses: [address], conditions: { ready: true } })),
    ports: addresses.length === 0 ? [] : [{ name: 'https', port, protocol: 'TCP' }],
  };
}
