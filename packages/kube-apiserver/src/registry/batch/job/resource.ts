import { jobStrategy, jobStatusStrategy } from './strategy.ts';
import { defaultJob } from './defaults.ts';
import { printJob } from '../table.ts';
import { storedResource } from '../../resource.ts';

/** Serves jobs with status. */
export const jobResource = storedResource({
  group: 'batch',
  plural: 'jobs',
  fields: {
    'status.successful': (job) => String((job['status'] as { succeeded?: number } | undefined)?.succeeded ?? 0),
  },
  fieldLabelError: (label) => `field label ${JSON.stringify(label)} not supported for Job`,
  strategy: (context) => jobStrategy(context.capabilities),
  status: jobStatusStrategy,
  defaults: { v1: defaultJob },
  row: printJob,
});
