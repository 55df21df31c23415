/** Why an address or a port could not be given out. `message` is the reference's text, which ends up in the answer. */
export class AllocationError extends Error {
  override readonly name = 'AllocationError';
  readonly code: 'Full' | 'Allocated' | 'NotInRange' | 'MismatchedNetwork' | 'NotInitialized';

  constructor(code: AllocationError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Whether an allocation failed for this reason. */
export function isAllocationError(error: unknown, code?: AllocationError['code']): error is AllocationError {
  return error instanceof AllocationError && (code === undefined || error.code === code);
}
