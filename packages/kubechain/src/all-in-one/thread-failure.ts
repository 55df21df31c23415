import { LaunchError } from '../launch-error.ts';

/** An error on its way to another thread; with its stack where it is not the user's to mend. */
export interface Failure {
  readonly message: string;
  readonly stack?: string;
}

/** The error again, on the other side. */
export function errorOf({ message, stack }: Failure): Error {
  if (stack === undefined) return new LaunchError('Process', message);
  const error = new TypeError(message);
  error.stack = stack;
  return error;
}
