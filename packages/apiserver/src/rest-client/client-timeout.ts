/** A question that was not answered in time. */
export class ClientTimeout extends Error {
  override readonly name = 'ClientTimeout';
}

export function isTimeout(error: unknown): error is ClientTimeout {
  return error instanceof ClientTimeout;
}
