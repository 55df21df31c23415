import { X509Certificate } from 'node:crypto';
import { isNotFound, type Clock } from '@kubechain/apimachinery';
import type { CertificateSigningRequest } from '@kubechain/apimachinery/types/certificates/v1';
import { resources } from '../client/resources.ts';
import { every } from '../clock/every.ts';
import type { Controller, ControllerContext } from '../controller/controller.ts';
import type { SharedInformer } from '../informers/shared-informer.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const POLL_MS = 10 * MINUTE_MS;
const APPROVED_MS = HOUR_MS;
const DENIED_MS = HOUR_MS;
const PENDING_MS = 24 * HOUR_MS;

/** Deletes certificate signing requests that are over or that nobody answers (pkg/controller/certificates/cleaner). */
export class CSRCleaner implements Controller {
  readonly #context: ControllerContext;
  readonly #requests: SharedInformer<CertificateSigningRequest>;

  constructor(context: ControllerContext) {
    this.#context = context;
    this.#requests = context.informers.informer(resources.certificatesigningrequests);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, log } = this.#context;
    await this.#requests.waitForSync(signal);
    const onError = (error: unknown): void => log.error('cannot clean up certificate signing requests', error);
    await every(POLL_MS, () => this.#clean(), { clock, signal, onError });
  }

  async #clean(): Promise<void> {
    const { client, clock } = this.#context;
    for (const request of this.#requests.list()) {
      if (!isOver(request, clock)) continue;
      try {
        await client.resource(resources.certificatesigningrequests).delete({ name: request.metadata?.name ?? '' });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
  }
}

/** Whether a request has been kept as long as its state allows. */
export function isOver({ metadata, status }: CertificateSigningRequest, clock: Clock): boolean {
  const olderThan = (time: string | null | undefined, ms: number): boolean =>
    typeof time === 'string' && clock.now() - Date.parse(time) > ms;
  const certificate = status?.certificate ?? '';
  const conditions = status?.conditions ?? [];
  if (conditions.length === 0) return olderThan(metadata?.creationTimestamp, PENDING_MS);
  return conditions.some(({ type, lastUpdateTime }) => {
    switch (type) {
      case 'Denied':
      case 'Failed':
        return olderThan(lastUpdateTime, DENIED_MS);
      case 'Approved':
        if (certificate === '') return olderThan(lastUpdateTime, PENDING_MS);
        return olderThan(lastUpdateTime, APPROVED_MS) || hasExpired(certificate, clock);
      default:
        return false;
    }
  });
}

/** `certificate` is base64 of PEM. */
function hasExpired(certificate: string, clock: Clock): boolean {
  try {
    return clock.now() > new X509Certificate(Buffer.from(certificate, 'base64')).validToDate.getTime();
  } catch {
    return false;
  }
}
