/** Why a proxy has made no connection, in the reference's words. */
export class EgressError extends Error {
  override readonly name = 'EgressError';
}
