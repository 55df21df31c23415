import { StorageError } from './errors.ts';

/**
 * Checks a full storage key before it reaches etcd: under the resource's root, and without elements that lead elsewhere
 * (storage.PrepareKey). A recursive key gets its final '/', so that `/a` does not match `/ab`.
 *
 * @throws StorageError `Internal`
 */
export function prepareKey(keyRoot: string, key: string, recursive: boolean): string {
  if (key === '' || key === '/') throw new StorageError('Internal', `empty key: ${JSON.stringify(key)}`, { key });
  // Cheap test first: names with dots are common, '/.' is not.
  if (key.includes('/.') || key.startsWith('.')) {
    for (const element of key.split('/')) {
      if (element === '.' || element === '..')
        throw new StorageError('Internal', `invalid key: ${JSON.stringify(key)}`, { key });
    }
  }
  const prepared = recursive && !key.endsWith('/') ? `${key}/` : key;
  if (!prepared.startsWith(keyRoot))
    throw new StorageError(
      'Internal',
      `invalid key: ${JSON.stringify(key)} lacks resource prefix: ${JSON.stringify(keyRoot)}`,
      { key },
    );
  return prepared;
}
