/** A mistake in how a registry is put together; never a client's fault. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';
}
