import type { Dial } from '../egress/dial.ts';
import type { EgressSelector } from '../egress/egress-selector.ts';
import type { PeerFaults } from '../peers/peer-faults.ts';
import type { TellWebhookCall } from '../peers/webhook-calls.ts';
import type { ResourceStorages } from '../informers/resource-storage.ts';
import { clusterResolver, endpointResolver, type ServicePort } from '../services/resolve-service.ts';
import { ServiceDirectory } from '../services/service-directory.ts';

/**
 * Where webhooks that are named by service are reached: a ready endpoint, since a server outside of the cluster has no
 * service network; external names as they are. Services are followed from the first call on.
 */
export class WebhookServices {
  /** What calls of webhooks meet; undefined where nobody can set faults. */
  readonly faults: PeerFaults | undefined;
  /** Told of calls of admission webhooks; undefined where there is no journal. */
  readonly tell: TellWebhookCall | undefined;
  readonly #directory: ServiceDirectory;
  readonly #random: () => number;
  readonly #egress: EgressSelector | undefined;

  /** @param options `random`: from 0 to below 1, chooses among endpoints */
  constructor(
    storages: ResourceStorages,
    {
      egress,
      faults,
      onError,
      random,
      tell,
    }: {
      readonly random: () => number;
      readonly onError: (error: unknown) => void;
      readonly egress?: EgressSelector | undefined;
      readonly faults?: PeerFaults | undefined;
      readonly tell?: TellWebhookCall | undefined;
    },
  ) {
    this.#random = random;
    this.#egress = egress;
    this.faults = faults;
    this.tell = tell;
    this.#directory = new ServiceDirectory(storages, { onChange: () => undefined, onError });
  }

  /** `host:port`. @throws ServiceResolutionError */
  async resolve(wanted: ServicePort, signal: AbortSignal): Promise<string> {
    await this.#directory.follow(signal);
    const external = this.#directory.service(wanted.namespace, wanted.name)?.type === 'ExternalName';
    return (external ? clusterResolver(this.#directory) : endpointResolver(this.#directory, this.#random))(wanted);
  }

  /** Makes connections to webhooks that are named by service, or by URL; undefined: directly. */
  dial(by: 'service' | 'url'): Dial | undefined {
    return this.#egress?.dial(by === 'service' ? 'cluster' : 'controlplane');
  }

  stop(): void {
    this.#directory.stop();
  }
}
