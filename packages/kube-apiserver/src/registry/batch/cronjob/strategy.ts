import { FieldPath } from '@kubechain/apimachinery';
import type { CronJob } from '@kubechain/apimachinery/types/batch/v1';
import type { Strategy } from '@kubechain/apiserver/resources';
import type { Capabilities } from '../../capabilities.ts';
import { specStrategy, statusStrategy } from '../../spec-strategy.ts';
import { forgiving } from '../../core/pod/validation/kept-mistakes.ts';
import { validated } from '../../validation/validate.ts';
import { podNameWarnings } from '../../core/pod/warnings.ts';
import { jobWarnings } from '../job/warnings.ts';
import { validateCronJob, validateCronJobUpdate } from './validation.ts';

const templatePath = FieldPath.of('spec', 'jobTemplate', 'spec');

/** CronJob: what its spec's endpoint does beyond the generic registry. */
export const cronJobStrategy = (capabilities: Capabilities): Strategy =>
  specStrategy({
    pods: { capabilities, template: (cronJob) => (cronJob as CronJob).spec?.jobTemplate?.spec?.template },
    generation: 'spec',
    status: true,
    ...validated<CronJob>({
      create: (object) => validateCronJob(object, capabilities),
      update: (object, old) =>
        forgiving(capabilities, old.spec?.jobTemplate?.spec?.template, (lenient) =>
          validateCronJobUpdate(object, old, lenient),
        ),
    }),
    warningsOnCreate: (cronJob) => [
      ...podNameWarnings(cronJob.metadata?.name),
      ...jobWarnings((cronJob as CronJob).spec?.jobTemplate?.spec, templatePath),
    ],
    warningsOnUpdate: (cronJob, old) => {
      const { spec } = cronJob as CronJob;
      return [
        ...(cronJob.metadata?.generation === old.metadata?.generation
          ? []
          : jobWarnings(spec?.jobTemplate?.spec, templatePath)),
        ...(spec?.schedule?.includes('TZ') === true
          ? [
              'cannot use TZ or CRON_TZ in spec.spec.schedule, use timeZone instead, see ' +
                'https://kubernetes.io/docs/concepts/workloads/controllers/cron-jobs/ for more details',
            ]
          : []),
      ];
    },
  });

/** CronJob's status endpoint. */
export const cronJobStatusStrategy = statusStrategy({ hooks: { updateChecksMetadata: [] } });
