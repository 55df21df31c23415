import type { EncryptionFile, EncryptionFileOptions } from './encryption-file.ts';

/**
 * Reads the file of `--encryption-provider-config`. The code for encryption is loaded here, not at start-up of servers
 * that do not encrypt.
 *
 * @throws EncryptionConfigurationError one line that names the file
 */
export async function loadEncryptionFile(path: string, options: EncryptionFileOptions = {}): Promise<EncryptionFile> {
  const { EncryptionFile: Loader } = await import('./encryption-file.ts');
  return Loader.load(path, options);
}
