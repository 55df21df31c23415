import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import { semanticEqual } from '../../semantic-equal.ts';

/**
 * Whether a job has the labels that were made for its pods as its own: a default of decoding, which a job that was
 * created without labels is stored without.
 */
export function hasGeneratedLabels({ metadata, spec }: Job): boolean {
  const labels = metadata?.labels ?? {};
  return 'batch.kubernetes.io/controller-uid' in labels && semanticEqual(labels, spec?.template?.metadata?.labels);
}
