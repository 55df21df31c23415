import type { CertificateSigningRequest } from '@kubechain/apimachinery/types/certificates/v1';
import { runWorkers, WorkQueue } from '@kubechain/shared-storage/work-queue';
import { resources } from '../client/resources.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import { keyOf } from '../informers/object-key.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';
import { isIssued } from './csr-state.ts';

/** As the reference: retries from 200 ms to 1,000 seconds. */
const retries = { firstMs: 200, longestMs: 1_000_000 };
const workers = 5;

/** It is wrong with the request, or with who asks: tried again, and not said aloud. */
export class RequestRefusedError extends Error {
  override readonly name = 'RequestRefusedError';
}

/** Shows requests without a certificate to `handle` (pkg/controller/certificates/certificate_controller.go, 1.36). */
export class CSRController implements Controller {
  readonly #context: ControllerContext;
  readonly #requests: SharedInformer<CertificateSigningRequest>;
  readonly #queue: WorkQueue;
  readonly #handle: (request: CertificateSigningRequest) => Promise<void>;

  constructor(context: ControllerContext, handle: (request: CertificateSigningRequest) => Promise<void>) {
    this.#context = context;
    this.#handle = handle;
    this.#queue = new WorkQueue({
      clock: context.clock,
      metrics: context.queueMetrics,
      name: 'certificate',
      ...retries,
    });
    this.#requests = context.informers.informer(resources.certificatesigningrequests);
    const add = (request: CertificateSigningRequest): void => this.#queue.add(keyOf(request));
    this.#requests.addHandlers({ onAdd: add, onUpdate: add });
  }

  async run(signal: AbortSignal): Promise<void> {
    await this.#requests.waitForSync(signal);
    await runWorkers({
      queue: this.#queue,
      workers,
      signal,
      sync: async (key) => {
        const request = this.#requests.get(key);
        if (request !== undefined && !isIssued(request)) await this.#handle(request);
      },
      onError: (error, request) => {
        if (error instanceof RequestRefusedError)
          this.#context.log.info('a certificate signing request is refused', { request, reason: error.message }, 4);
        else this.#context.log.error('cannot work on a certificate signing request', error, { request });
      },
    });
  }
}
