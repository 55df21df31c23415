/**
 * A backend could not be reached or did not answer as it must; the message is in Go's words and is shown to the client.
 */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
}
