import type { FieldPath } from '@kubechain/apimachinery';
import type { JobSpec } from '@kubechain/apimachinery/types/batch/v1';
import { templateWarnings } from '../../core/pod/warnings.ts';

/** What a job can hardly keep up with, and what its template warns of (WarningsForJobSpec of pkg/api/job, 1.36). */
export function jobWarnings(spec: JobSpec | undefined, path: FieldPath): string[] {
  const large =
    spec?.completionMode === 'Indexed' && (spec.completions ?? 0) > 100_000 && (spec.parallelism ?? 0) > 10_000;
  const text =
    'In Indexed Jobs with a number of completions higher than 10^5 and a parallelism higher than 10^4, ' +
    'Kubernetes might not be able to track completedIndexes when a big number of indexes fail';
  return [...(large ? [`${String(path)}: ${text}`] : []), ...templateWarnings(spec?.template, path.child('template'))];
}
