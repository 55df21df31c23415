import type { FieldError } from '@kubechain/apimachinery';
import type { CronJob, Job, JobStatus } from '@kubechain/apimachinery/types/batch/v1';
import { internalContext } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import { defaultCronJob } from '../cronjob/defaults.ts';
import { validateCronJob } from '../cronjob/validation.ts';
import { defaultJob } from './defaults.ts';
import { validateJobStatus } from './status-validation.ts';
import { jobStrategy } from './strategy.ts';
import { jobUpdateRules, validateJob } from './validation.ts';
import { capabilitiesOf } from '../../capabilities.ts';

const unprivileged = capabilitiesOf({ allowPrivileged: false });

const context = internalContext({ groupResource: { group: 'batch', resource: 'jobs' } });
const template = {
  metadata: { labels: {} },
  spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] },
};

/** A new job as its strategy has prepared it. */
function job(spec: object = {}, status?: JobStatus): Job {
  const object = {
    metadata: { name: 'j', uid: 'u' },
    spec: { template: structuredClone(template), ...structuredClone(spec) },
  } as Job;
  defaultJob(object);
  void jobStrategy(unprivileged).prepareForCreate?.(object, context);
  return { ...object, ...(status === undefined ? {} : { status }) };
}

function updated(now: Job, old: Job): readonly FieldError[] {
  const { change, update } = jobUpdateRules(unprivileged);
  return [...update(now, old, context), ...change(now, old, context)];
}

function cronJob(spec: object): CronJob {
  const object = {
    metadata: { name: 'c' },
    spec: { schedule: '* * * * *', jobTemplate: { spec: { template: structuredClone(template) } }, ...spec },
  } as CronJob;
  defaultCronJob(object);
  return object;
}

const scheduled =
  (schedule: string): (() => readonly FieldError[]) =>
  () =>
    validateCronJob(cronJob({ schedule }), unprivileged);
const indexed = { completionMode: 'Indexed', completions: 3, parallelism: 3 };
const complete = [
  { type: 'SuccessCriteriaMet', status: 'True' },
  { type: 'Complete', status: 'True' },
] as JobStatus['conditions'];

const rows: readonly (readonly [name: string, errors: () => readonly FieldError[], ...expected: string[]])[] = [
  ['a job', () => validateJob(job(), unprivileged)],
  [
    'an indexed job without completions',
    () => validateJob(job({ completionMode: 'Indexed', parallelism: 1 }), unprivileged),
    'spec.completions: Required value: when completion mode is Indexed',
  ],
  [
    'pods that always restart',
    () =>
      validateJob(
        job({ template: { ...template, spec: { ...template.spec, restartPolicy: 'Always' } } }),
        unprivileged,
      ),
    'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
  ],
  [
    'failures without action',
    () =>
      validateJob(
        job({ podFailurePolicy: { rules: [{ onExitCodes: { operator: 'In', values: [2, 1] } }] } }),
        unprivileged,
      ),
    'spec.podFailurePolicy.rules[0].action: Required value: valid values: ["Count" "FailIndex" "FailJob" "Ignore"]',
    'spec.podFailurePolicy.rules[0].onExitCodes.values: Invalid value: [2,1]: must be ordered',
  ],
  [
    'indexes out of order',
    () => validateJob(job({ ...indexed, successPolicy: { rules: [{ succeededIndexes: '1,0' }] } }), unprivileged),
    'spec.successPolicy.rules[0].succeededIndexes: Invalid value: "1,0": error parsing succeededIndexes: ' +
      'non-increasing order, previous: 1, current: 0',
  ],
  [
    'more completions',
    () => updated(job({ completions: 2 }), job({ completions: 1 })),
    'spec.completions: Invalid value: 2: field is immutable',
  ],
  [
    'more completions and as many pods of an indexed job',
    () => updated(job({ ...indexed, completions: 4, parallelism: 4 }), job(indexed)),
  ],
  [
    'more completions alone',
    () => updated(job({ ...indexed, completions: 4 }), job(indexed)),
    'spec.completions: Invalid value: 4: can only be modified in tandem with spec.parallelism',
  ],
  [
    'another node for a suspended job',
    () =>
      updated(
        job({ suspend: true, template: { ...template, spec: { ...template.spec, nodeSelector: { a: 'b' } } } }),
        job({ suspend: true }),
      ),
  ],
  [
    'completion without its time',
    () => validateJobStatus(job({}, { startTime: '2020-01-01T00:00:00Z', conditions: complete ?? [] }), job()),
    'status.completionTime: Required value: completionTime is required for Complete jobs',
  ],
  [
    'completion that ends',
    () =>
      validateJobStatus(
        job({}, { startTime: '2020-01-01T00:00:00Z' }),
        job({}, { startTime: '2020-01-01T00:00:00Z', conditions: complete ?? [] }),
      ),
    'status.conditions: Invalid value: cannot disable the terminal Complete=True condition',
    'status.conditions: Invalid value: cannot disable the SuccessCriteriaMet=True condition',
  ],
  ['a schedule by names and steps', scheduled('*/5,7 0-6/2 ? JAN-Mar mon')],
  ['a schedule every so often', scheduled('@every 1h30m')],
  [
    'a schedule of an unknown name',
    scheduled('@never'),
    'spec.schedule: Invalid value: "@never": unrecognized descriptor: @never',
  ],
  [
    'too many hyphens',
    scheduled('1-2-3 * * * *'),
    'spec.schedule: Invalid value: "1-2-3 * * * *": too many hyphens: 1-2-3',
  ],
  [
    'no number',
    scheduled('x * * * *'),
    'spec.schedule: Invalid value: "x * * * *": failed to parse int from x: strconv.Atoi: parsing "x": invalid syntax',
  ],
  [
    'a schedule below its range',
    scheduled('* * 0 * *'),
    'spec.schedule: Invalid value: "* * 0 * *": beginning of range (0) below minimum (1): 0',
  ],
  [
    'a zone in other case',
    () => validateCronJob(cronJob({ timeZone: 'europe/berlin' }), unprivileged),
    'spec.timeZone: Invalid value: "europe/berlin": unknown time zone europe/berlin',
  ],
  ['a zone', () => validateCronJob(cronJob({ timeZone: 'Asia/Kolkata' }), unprivileged)],
];

describe('rules of jobs and cron jobs', () => {
  for (const [name, errors, ...expected] of rows)
    it(name, () => {
      expect([...new Set(errors().map(String))]).to.deep.equal(expected);
    });

  it('tell twice what is wrong with an updated spec, before metadata and after it, as the reference does', () => {
    const rules = jobUpdateRules(unprivileged);
    const broken = job({ parallelism: -1, completions: 1 });
    const wrong = 'spec.parallelism: Invalid value: -1: must be greater than or equal to 0';
    expect(rules.update(broken, job(), context).map(String)).to.deep.equal([wrong]);
    expect(rules.change(broken, job(), context).map(String)).to.deep.equal([wrong]);
  });
});
