import { isStatusError } from '@kubechain/apimachinery';

/**
 * Why a webhook gave no answer that could be read. The kinds are values of metrics' label `reason`
 * (docs/debugging.md).
 */
export type CallFailure =
  /** The time that it is given is over. */
  | 'timeout'
  /** It answered with a status that is no success. */
  | 'refused'
  /** It could not be connected, or gave no whole answer. */
  | 'no_answer';

/** Why `WebhookClient.post` has thrown. Whether the caller itself has ended it, the caller knows. */
export function callFailureOf(error: unknown): CallFailure {
  if (isStatusError(error)) return 'refused';
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause.name === 'TimeoutError' || cause.name === 'AbortError') return 'timeout';
  return 'no_answer';
}
