import type { KubeObject } from '@kubechain/apimachinery';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';

interface JobSpec { manualSelector?: boolean; selector?: { matchLabels?: Record<string, string> }; template?: { metadata?: { labels?: Record<string, string> } } }

/** Job: makes its own selector unless manualSelector says otherwise (pkg/registry/batch/job/strategy.go, 1.36). */
export const jobStrategy = specStrategy({ generation: 'spec', status: true, garbageCollectionPolicy: 'OrphanDependents', prepareForCreate: generateSelector, canonicalize: takeLabels });

/** Job's status endpoint. */
export const jobStatusStrategy = statusStrategy();

function generateSelector(job: KubeObject): void {
  const spec = job['spec'] as JobSpec | undefined;
  if (spec === undefined || spec.manualSelector === true) return;
  const uid = job.metadata?.uid ?? '';
  const name = job.metadata?.name ?? '';
  const template = (spec.template ??= {});
  const labels = ((template.metadata ??= {}).labels ??= {});
  for (const key of ['job-name', 'batch.kubernetes.io/job-name']) labels[key] ??= name;
  for (const key of ['controller-uid', 'batch.kubernetes.io/controller-uid']) labels[key] ??= uid;
  const matchLabels = ((spec.selector ??= {}).matchLabels ??= {});
  matchLabels['batch.kubernetes.io/controller-uid'] ??= uid;
}

/** A job without labels has its template's, also those that were made for it: reading it back would give it them. */
function takeLabels(job: KubeObject): void {
  const labels = (job['spec'] as JobSpec | undefined)?.template?.metadata?.labels;
  if (labels !== undefined && job.metadata !== undefined && Object.keys(job.metadata.labels ?? {}).length === 0) job.metadata.labels = { ...labels };
}
