import { createStatusStorage } from '@kubechain/apiserver';
import type { StorageProvider } from '../../storage-provider.ts';
import { jobStrategy, jobStatusStrategy } from './strategy.ts';

/** Serves jobs with status. */
export const jobStorage: StorageProvider = (context) => {
  const store = context.store({
    group: 'batch',
    plural: 'jobs',
    strategy: jobStrategy(context.capabilities),
    fields: {
      'status.successful': (job) => String((job['status'] as { succeeded?: number } | undefined)?.succeeded ?? 0),
    },
    fieldLabelError: (label) => `field label ${JSON.stringify(label)} not supported for Job`,
  });
  return [
    ['jobs', store],
    ['jobs/status', createStatusStorage(store, jobStatusStrategy)],
  ];
};
