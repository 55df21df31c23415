import type { ObjectMeta } from '@kubechain/apimachinery';

/** What any object has, whatever its type says of it. */
export interface WithMetadata {
  readonly metadata?: ObjectMeta | undefined;
}
