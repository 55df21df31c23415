import { isNotFound, type KubeObject } from '@kubechain/apimachinery';
import type { ResourceType } from '../client/resource-type.ts';
import { every } from '../clock/every.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';

const MINUTE_MS = 60_000;
const POLL_MS = 5 * MINUTE_MS;
/** However a request ends, it does so earlier. */
const KEPT_MS = 15 * MINUTE_MS;

/**
 * Deletes PodCertificateRequests that are a quarter of an hour old, whatever became of them
 * (pkg/controller/certificates/cleaner/pcrcleaner.go).
 */
export class PodCertificateRequestCleaner implements Controller {
  readonly #context: ControllerContext;
  readonly #type: ResourceType;
  readonly #requests: SharedInformer;

  constructor(context: ControllerContext, type: ResourceType) {
    this.#context = context;
    this.#type = type;
    this.#requests = context.informers.informer(type);
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#requests.waitForSync(signal);
    await every(POLL_MS, () => this.#clean(), { clock: this.#context.clock, signal });
  }

  async #clean(): Promise<void> {
    const { client, clock, log } = this.#context;
    for (const { metadata = {} } of this.#requests.list() as readonly KubeObject[]) {
      const { name = '', namespace, uid, creationTimestamp } = metadata;
      if (clock.now() < Date.parse(creationTimestamp ?? '') + KEPT_MS) continue;
      try {
        const preconditions = uid === undefined ? {} : { preconditions: { uid } };
        await client.resource(this.#type).delete({ name, namespace }, preconditions);
      } catch (error) {
        if (!isNotFound(error)) log.error('cannot delete a request for a pod certificate', error, { namespace, name });
      }
    }
  }
}
