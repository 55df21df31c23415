import { formatTime, isAlreadyExists, isNotFound } from '@kubechain/apimachinery';
import type { Clock } from '@kubechain/apimachinery';
import type { ServiceCIDR } from '@kubechain/apimachinery/types/networking/v1';
import { OwnWrites, internalContext } from '@kubechain/apiserver/resources';
import type { RESTStorage, Store } from '@kubechain/apiserver/resources';

const name = 'kubernetes';
const apiVersion = 'networking.k8s.io/v1';
const kind = 'ServiceCIDR';
const manager = 'kubernetes-service-cidr-controller';

export interface DefaultServiceCIDROptions {
  readonly store: Store;
  /** servicecidrs/status over the same store. */
  readonly status: RESTStorage;
  readonly clock: Clock;
  /** --service-cluster-ip-range: one CIDR, or one of each family. */
  readonly cidrs: readonly string[];
  readonly onMismatch: (stored: readonly string[]) => void;
}

/**
 * ServiceCIDR `kubernetes`: made from --service-cluster-ip-range where it is missing, given a second family when that
 * came to the flag, and said to be ready while it is what the flag says. Otherwise it stays as it is
 * (pkg/controlplane/controller/defaultservicecidr, 1.36).
 */
export class DefaultServiceCIDR {
  readonly #options: DefaultServiceCIDROptions;
  readonly #writes: OwnWrites;
  readonly #statusWrites: OwnWrites;
  readonly #context = internalContext({ groupResource: { group: 'networking.k8s.io', resource: 'servicecidrs' } });
  #reported = false;

  constructor(options: DefaultServiceCIDROptions) {
    this.#options = options;
    this.#writes = new OwnWrites(options.store, { scheme: options.store.spec.scheme, clock: options.clock });
    this.#statusWrites = new OwnWrites(options.status, {
      scheme: options.store.spec.scheme,
      clock: options.clock,
      manager,
      subresource: 'status',
    });
  }

  /** One look at what is there. @throws StatusError when it cannot be read or written */
  async sync(): Promise<void> {
    const { cidrs } = this.#options;
    const found = await this.#find();
    if (found === undefined) {
      try {
        await this.#writes.create(this.#context, { apiVersion, kind, metadata: { name }, spec: { cidrs: [...cidrs] } });
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
    } else if (cidrs.length === 2 && found.spec?.cidrs?.length === 1 && found.spec.cidrs[0] === cidrs[0]) {
      await this.#writes.update(this.#context, { ...structuredClone(found), spec: { cidrs: [...cidrs] } });
    }
    await this.#setReady(await this.#find());
  }

  async #find(): Promise<ServiceCIDR | undefined> {
    try {
      return (
        await this.#options.store.get(this.#context, name, { resourceVersion: '' })
      ).object() as unknown as ServiceCIDR;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** A Ready condition that says False is somebody else's word, and stays. */
  async #setReady(found: ServiceCIDR | undefined): Promise<void> {
    if (found === undefined || found.metadata?.deletionTimestamp !== undefined) return;
    const stored = found.spec?.cidrs ?? [];
    if (stored.join(',') !== this.#options.cidrs.join(',')) {
      if (!this.#reported) this.#options.onMismatch(stored);
      this.#reported = true;
      return;
    }
    const ready = found.status?.conditions?.find(({ type }) => type === 'Ready');
    if (ready !== undefined && ready.status !== 'Unknown') return;
    const condition = {
      type: 'Ready',
      status: 'True',
      message: 'Kubernetes default Service CIDR is ready',
      lastTransitionTime: formatTime(this.#options.clock.now()),
    };
    await this.#statusWrites.apply(this.#context, {
      apiVersion,
      kind,
      metadata: { name },
      status: { conditions: [condition] },
    });
  }
}
