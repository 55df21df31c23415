import type { KubeObject } from '@kubechain/apimachinery';
import { ObjectInformer } from '../informers/object-informer.ts';
import type { ResourceStorages } from '../informers/resource-storage.ts';

/** What routing reads of a Service. */
export interface RoutedService {
  readonly name: string;
  readonly type: string;
  readonly clusterIP: string;
  readonly externalName: string;
  readonly primaryFamily: string | undefined;
  readonly ports: readonly { readonly name: string; readonly port: number }[];
}

/** What routing reads of an EndpointSlice. */
export interface RoutedSlice {
  /** `namespace/name` of the service that it belongs to. */
  readonly service: string;
  readonly addressType: string;
  readonly ports: readonly { readonly name: string; readonly port: number }[];
  /** First address of each ready endpoint. */
  readonly readyAddresses: readonly string[];
}

/** The ports that a slice may leave out (all ports, which routing cannot use) are not kept. */
interface StoredPort {
  readonly name?: string;
  readonly port?: number;
}
interface StoredService extends KubeObject {
  readonly spec?: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly externalName?: string;
    readonly ipFamilies?: readonly string[];
    readonly ports?: readonly StoredPort[];
  };
}
interface StoredSlice extends KubeObject {
  readonly addressType?: string;
  readonly ports?: readonly StoredPort[] | null;
  readonly endpoints?:
    | readonly {
        readonly addresses?: readonly string[];
        readonly conditions?: { readonly ready?: boolean };
      }[]
    | null;
}

/** Where routing and availability look services up. */
export interface Services {
  service(namespace: string, name: string): RoutedService | undefined;
  slices(namespace: string, name: string): readonly RoutedSlice[];
}

/**
 * Services and their endpoint slices, followed from storage once an APIService needs them: most clusters have no
 * extension API servers, and then nothing is read or kept.
 */
export class ServiceDirectory implements Services {
  readonly #services: ObjectInformer<RoutedService>;
  readonly #slices: ObjectInformer<RoutedSlice>;
  readonly #slicesOfService = new Map<string, Map<string, RoutedSlice>>();
  #started = false;

  /** `onChange` gets `namespace/name` of each service that changed, or whose endpoints did. */
  constructor(
    storages: ResourceStorages,
    options: { readonly onChange: (service: string) => void; readonly onError: (error: unknown) => void },
  ) {
    const { onChange, onError } = options;
    this.#services = new ObjectInformer<RoutedService>({
      ...storages.get('', 'services'),
      transform: (record) => routedService(record.object() as StoredService),
      onError,
    });
    this.#slices = new ObjectInformer<RoutedSlice>({
      ...storages.get('discovery.k8s.io', 'endpointslices'),
      transform: (record) => routedSlice(record.object() as StoredSlice),
      onError,
    });
    this.#services.onChange(({ key }) => {
      onChange(key);
    });
    this.#slices.onChange((change) => {
      if (change.previous !== undefined) this.#forget(change.previous.service, change.key);
      if (change.kind === 'set') this.#note(change.value, change.key);
      const service = change.kind === 'set' ? change.value.service : change.previous.service;
      onChange(service);
      if (change.previous !== undefined && change.previous.service !== service) onChange(change.previous.service);
    });
  }

  /** Begins to follow, once; resolves when the first complete state is there. */
  async follow(signal?: AbortSignal): Promise<void> {
    if (!this.#started) {
      this.#started = true;
      this.#services.start();
      this.#slices.start();
    }
    await Promise.all([this.#services.waitForSync(signal), this.#slices.waitForSync(signal)]);
  }

  service(namespace: string, name: string): RoutedService | undefined {
    return this.#services.get(`${namespace}/${name}`);
  }

  slices(namespace: string, name: string): readonly RoutedSlice[] {
    return [...(this.#slicesOfService.get(`${namespace}/${name}`)?.values() ?? [])];
  }

  stop(): void {
    this.#services.stop();
    this.#slices.stop();
  }

  #note(slice: RoutedSlice, key: string): void {
    let slices = this.#slicesOfService.get(slice.service);
    if (slices === undefined) this.#slicesOfService.set(slice.service, (slices = new Map()));
    slices.set(key, slice);
  }

  #forget(service: string, key: string): void {
    const slices = this.#slicesOfService.get(service);
    if (slices?.delete(key) === true && slices.size === 0) this.#slicesOfService.delete(service);
  }
}

function routedService({ metadata, spec = {} }: StoredService): RoutedService {
  return {
    name: metadata?.name ?? '',
    type: spec.type ?? 'ClusterIP',
    clusterIP: spec.clusterIP ?? '',
    externalName: spec.externalName ?? '',
    primaryFamily: spec.ipFamilies?.[0],
    ports: (spec.ports ?? []).map(({ name = '', port = 0 }) => ({ name, port })),
  };
}

/** Slices of no service are not kept. */
function routedSlice({ metadata, addressType = '', ports, endpoints }: StoredSlice): RoutedSlice | undefined {
  const service = metadata?.labels?.['kubernetes.io/service-name'];
  if (service === undefined) return undefined;
  return {
    service: `${metadata?.namespace ?? ''}/${service}`,
    addressType,
    // What a client sent as null is stored so.
    ports: (ports ?? []).flatMap(({ name = '', port }) => (port === undefined ? [] : [{ name, port }])),
    readyAddresses: (endpoints ?? []).flatMap(({ addresses = [], conditions }) =>
      conditions?.ready === false ? [] : addresses.slice(0, 1),
    ),
  };
}
