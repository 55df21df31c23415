import { StatusError } from '@kubechain/apimachinery';

/** What the reference answers to an error that has no status of its own: 500 with its words and no reason. */
export function unclassifiedError(message: string): StatusError {
  return new StatusError({ status: 'Failure', code: 500, message });
}
