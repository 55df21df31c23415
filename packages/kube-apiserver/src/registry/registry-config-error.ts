/** The tables of built-in resources contradict each other: a mistake in this package, found at start. */
export class RegistryConfigError extends Error {
  override readonly name = 'RegistryConfigError';
}
