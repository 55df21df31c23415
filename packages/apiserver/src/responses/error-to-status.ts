import { requestEntityTooLarge, StatusError, type Status, messageOf } from '@kubechain/apimachinery';

const tooDeep = requestEntityTooLarge('the object nests too deeply');

/**
 * The Status body of any thrown value. A StatusError has its own; everything else becomes a 500 without a reason
 * that carries the error's message, as ErrorToAPIStatus of kube-apiserver 1.36 does. An object that nests deeper than
 * what works on it can follow is the client's: 413.
 */
export function errorToStatus(error: unknown): Status {
  if (error instanceof StatusError)
    return error.status.code === undefined ? { ...error.status, code: 500 } : error.status;
  if (error instanceof RangeError && error.message === 'Maximum call stack size exceeded') return tooDeep.status;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: messageOf(error),
    code: 500,
  };
}
