/** An encryption configuration that cannot be used; one line, for the user who wrote it. Never contains secrets. */
export class EncryptionConfigurationError extends Error {
  override readonly name = 'EncryptionConfigurationError';
}
