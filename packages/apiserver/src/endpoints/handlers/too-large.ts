import { isStorageError } from '@kubechain/shared-storage';

/**
 * Runs a write, and once more without managedFields, which can be large, when the store refuses the object for its size
 * (isTooLargeError in handlers/create.go, update.go and patch.go). Applying is not for this: it lives on them.
 */
export async function withoutManagedFieldsIfTooLarge<T>(
  write: (options: { readonly managedFields: boolean }) => Promise<T>,
): Promise<T> {
  try {
    return await write({ managedFields: true });
  } catch (error) {
    if (!isStorageError(error, 'RequestTooLarge')) throw error;
    return write({ managedFields: false });
  }
}
