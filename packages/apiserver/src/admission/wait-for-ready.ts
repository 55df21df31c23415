import { admissionForbidden } from './admission-error.ts';
import type { AdmissionAttributes } from './admission.ts';

/**
 * How long a request waits for what a plugin goes by, which a process that has just started may still be reading
 * (admission/handler.go, 1.36).
 */
const READY_WAIT_MS = 10_000;

/** Something followed from storage. */
export interface Followed {
  readonly hasSynced: boolean;
  waitForSync(signal?: AbortSignal): Promise<void>;
}

/**
 * Resolves once the source can be gone by; undefined when that is so already. @throws StatusError 403 when it takes
 * longer than the request may wait
 */
export function waitForReady(attributes: AdmissionAttributes, source: Followed): undefined | Promise<void> {
  return source.hasSynced ? undefined : wait(attributes, source);
}

async function wait(attributes: AdmissionAttributes, source: Followed): Promise<void> {
  await source.waitForSync(AbortSignal.any([attributes.signal, AbortSignal.timeout(READY_WAIT_MS)]));
  if (!source.hasSynced) throw admissionForbidden(attributes, 'not yet ready to handle request');
}
