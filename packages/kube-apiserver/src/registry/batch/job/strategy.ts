import { FieldPath, wasEmptied } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { Job } from '@kubechain/apimachinery/types/batch/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { takeTemplateLabels } from '../../template-labels.ts';
import { validated } from '../../validation/validate.ts';
import { validateJobStatus } from './status-validation.ts';
import { jobUpdateRules, validateJob } from './validation.ts';
import { podNameWarnings } from '../../core/pod/warnings.ts';
import { jobWarnings } from './warnings.ts';

const specPath = FieldPath.of('spec');
const orphanWarning =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them ' +
  'or set propagationPolicy=Orphan to suppress this warning';

interface JobSpec {
  manualSelector?: boolean;
  selector?: { matchLabels?: Record<string, string> };
  template?: { metadata?: { labels?: Record<string, string> } };
}

/** Job: makes its own selector unless manualSelector says otherwise (pkg/registry/batch/job/strategy.go, 1.36). */
export const jobStrategy = (capabilities: Capabilities): Strategy =>
  specStrategy({
    pods: { capabilities, template: (job) => (job as Job).spec?.template },
    generation: 'spec',
    status: true,
    garbageCollectionPolicy: 'OrphanDependents',
    prepareForCreate: (job) => {
      dropScheduling(job);
      generateSelector(job);
    },
    prepareForUpdate: dropScheduling,
    canonicalize: takeTemplateLabels,
    ...validated<Job>({
      create: (object) => validateJob(object, capabilities),
      ...jobUpdateRules(capabilities),
    }),
    warningsOnCreate: (job) => [...podNameWarnings(job.metadata?.name), ...jobWarnings((job as Job).spec, specPath)],
    warningsOnDelete: ({ orphanDependents, propagationPolicy }) =>
      propagationPolicy === undefined && orphanDependents === undefined ? [orphanWarning] : [],
    warningsOnUpdate: (job, old) =>
      job.metadata?.generation === old.metadata?.generation ? [] : jobWarnings((job as Job).spec, specPath),
  });

/** Job's status endpoint. */
export const jobStatusStrategy = statusStrategy({
  hooks: { ...validated({ update: validateJobStatus }), canonicalize: takeTemplateLabels },
});

/** What 1.37 has behind a gate that is off (WorkloadWithJob) goes, unless it is there already. */
function dropScheduling(job: KubeObject, old?: KubeObject): void {
  const spec = (object: KubeObject | undefined): { scheduling?: unknown } => (object?.['spec'] ?? {}) as object;
  if (spec(old).scheduling === undefined) delete spec(job).scheduling;
}

function generateSelector(job: KubeObject): void {
  const spec = job['spec'] as JobSpec | undefined;
  if (spec === undefined || spec.manualSelector === true) return;
  const uid = job.metadata?.uid ?? '';
  const name = job.metadata?.name ?? '';
  const template = (spec.template ??= {});
  const templateMetadata = (template.metadata ??= {});
  const isShared = wasEmptied(templateMetadata, 'labels') && Object.keys(job.metadata?.labels ?? {}).length === 0;
  const labels = (templateMetadata.labels ??= {});
  // A map that was sent without entries is the job's own as well, as other labels of the template are (defaultJob).
  if (isShared) (job.metadata ??= {}).labels = labels;
  for (const key of ['job-name', 'batch.kubernetes.io/job-name']) labels[key] ??= name;
  for (const key of ['controller-uid', 'batch.kubernetes.io/controller-uid']) labels[key] ??= uid;
  const matchLabels = ((spec.selector ??= {}).matchLabels ??= {});
  matchLabels['batch.kubernetes.io/controller-uid'] ??= uid;
}
