import { isStatusError } from '@kubechain/apimachinery';

/** Attempts of a webhook of authentication or authorization (DefaultAuthWebhookRetryBackoff, 1.36). */
const attempts = 5;
const defaultFirstDelayMs = 500;
const factor = 1.5;

/**
 * Asks again while the answer is one that may pass: 500, 504, 429, what says when to ask again, and connections that
 * are reset (util/webhook/webhook.go, 1.36). Rejects with the last error.
 */
export async function withRetries<T>(
  ask: () => Promise<T>,
  sleep: (delayMs: number) => Promise<void>,
  firstDelayMs = defaultFirstDelayMs,
): Promise<T> {
  for (let attempt = 1, delayMs = firstDelayMs; ; attempt++, delayMs *= factor) {
    try {
      return await ask();
    } catch (error) {
      if (attempt === attempts || !mayPass(error)) throw error;
      await sleep(delayMs);
    }
  }
}

function mayPass(error: unknown): boolean {
  if (isStatusError(error))
    return [429, 500, 504].includes(error.code) || error.status.details?.retryAfterSeconds !== undefined;
  return (error as NodeJS.ErrnoException).code === 'ECONNRESET';
}
