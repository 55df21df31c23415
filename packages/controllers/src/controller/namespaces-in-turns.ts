import { WorkQueue, type Sharing } from '@kubechain/shared-storage/work-queue';
import { splitKey } from '../informers/object-key.ts';
import type { ControllerContext } from './controller.ts';

/**
 * How namespaces share a queue of `namespace/name`: one after the other, each with the key that it has added first, and
 * with half of the workers at most: those of a namespace whose keys take long leave the others free.
 * Thousands of keys in one namespace keep none of another waiting for longer than what is worked on takes; in the
 * reference all keys are in one line. Of keys with a word before them (`claim namespace/name`) each word of a namespace
 * takes turns, and what has no namespace does so together.
 */
export const namespacesInTurns: Sharing<string> = {
  ownerOf: (key) => splitKey(key).namespace,
};

/**
 * A controller's queue of `namespace/name`, named as upstream's, in which namespaces take turns. How long a key that
 * failed waits is the queue's default unless said otherwise, in ms.
 */
export function namespacedQueue<K extends string = string>(
  { clock, queueMetrics }: Pick<ControllerContext, 'clock' | 'queueMetrics'>,
  name: string,
  waits: { readonly firstMs?: number; readonly longestMs?: number } = {},
): WorkQueue<K> {
  return new WorkQueue<K>({ clock, metrics: queueMetrics, name, ...waits, sharing: namespacesInTurns });
}
