/**
 * `Usage`: the command line. `DataDir`, `Certificates`: what lies there. `Process`: a child that could not start.
 * `Timeout`: one that did not in time. `Control`: what the control API refuses, or that nobody serves it. `Held`: a
 * thread that had to be ended, since its event loop was held.
 */
export type LaunchErrorCode = 'Usage' | 'DataDir' | 'Certificates' | 'Process' | 'Timeout' | 'Control' | 'Held';

/** Why the chain cannot run, in one line that the user can act on. The one error class of this package. */
export class LaunchError extends Error {
  override readonly name = 'LaunchError';
  readonly code: LaunchErrorCode;
  constructor(code: LaunchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether a launcher has refused to start, or could not; with a code: for that reason. */
export function isLaunchError(error: unknown, code?: LaunchErrorCode): error is LaunchError {
  return error instanceof LaunchError && (code === undefined || error.code === code);
}
