import { OptionsError } from '@kubechain/apiserver/options';
import { isLaunchError } from '../launch-error.ts';
import type { Failure } from './thread-failure.ts';

/** What is told of an error to another thread. */
export function failureOf(error: unknown): Failure {
  const { message, stack } = error instanceof Error ? error : new TypeError(String(error));
  const usersToMend = error instanceof OptionsError || isLaunchError(error);
  return usersToMend || stack === undefined ? { message } : { message, stack };
}
