import { expect } from 'chai';
import type { CronJob, Job } from '@kubechain/apimachinery/types/batch/v1';
import { resources } from '@kubechain/controllers';
import { eventually, startLiveCluster, type LiveCluster } from './live-cluster.ts';
import { MovableClock } from './movable-clock.ts';

const patient = { withinMs: 60_000 };
const namespace = 'default';

describe('cron jobs on played nodes', () => {
  const clock = new MovableClock();
  let cluster: LiveCluster;
  before(async () => {
    cluster = await startLiveCluster({
      controllers: ['cronjob', 'job', 'kube-scheduler', 'node-simulator', 'serviceaccount', 'garbagecollector'],
      clock,
      controllerFlags: (defaults) => ({ ...defaults, simulation: { ...defaults.simulation, nodes: 1 } }),
    });
    await eventually(
      () => cluster.client.resource(resources.serviceaccounts).get({ namespace, name: 'default' }),
      patient,
    );
  });
  after(() => cluster.stop());
  // Ten minutes past an hour, whatever time it is: no start is still in time for what a test makes.
  beforeEach(() => {
    clock.putOnToNextHour();
    clock.putOn(600_000);
  });

  const create = (name: string, spec: object, annotations: Record<string, string> = {}): Promise<CronJob> =>
    cluster.client.resource(resources.cronjobs).create({
      metadata: { namespace, name },
      spec: {
        schedule: '0 * * * *',
        timeZone: 'Etc/UTC',
        // The server's clock stays behind, so that cron jobs look older than they are.
        startingDeadlineSeconds: 300,
        jobTemplate: {
          spec: {
            template: {
              metadata: { labels: { of: name }, annotations },
              spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'work:1' }] },
            },
          },
        },
        ...spec,
      },
    });
  const get = (name: string): Promise<CronJob> => cluster.client.resource(resources.cronjobs).get({ namespace, name });
  const jobsOf = async (name: string): Promise<readonly Job[]> =>
    (await cluster.client.resource(resources.jobs).list({ namespace })).items.filter(({ metadata }) =>
      metadata?.name?.startsWith(`${name}-`),
    );
  const names = (jobs: readonly Job[]): readonly string[] =>
    jobs.map(({ metadata }) => metadata?.name ?? '').toSorted();
  const event = (name: string, reason: string): Promise<string | undefined> =>
    eventually(async () => {
      const { items } = await cluster.client
        .resource(resources.events)
        .list({ namespace, fieldSelector: `involvedObject.name=${name},reason=${reason}` });
      return items[0]?.message;
    }, patient);
  /** Long enough for a mistake to show. */
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500));

  it('start at their time, and keep as many jobs as they are to', async () => {
    await create('hourly', { successfulJobsHistoryLimit: 1 });
    await pause();
    expect(await jobsOf('hourly')).to.deep.equal([]);
    const made: string[] = [];
    for (let round = 0; round < 2; round++) {
      const startMs = clock.putOnToNextHour();
      const name = `hourly-${startMs / 60_000}`;
      made.push(name);
      await eventually(async () => names(await jobsOf('hourly')).includes(name), patient);
      const done = await eventually(async () => {
        const found = await get('hourly');
        const { active = [], lastScheduleTime = '' } = found.status ?? {};
        return active.length === 0 && Date.parse(lastScheduleTime) === startMs ? found : undefined;
      }, patient);
      expect(done.status?.lastSuccessfulTime).to.be.a('string');
    }
    await eventually(async () => names(await jobsOf('hourly')).join(' ') === made[1], patient);
    expect(await event('hourly', 'SuccessfulCreate')).to.equal(`Created job ${made[0]}`);
    expect(await event('hourly', 'SawCompletedJob')).to.equal(`Saw completed job: ${made[0]}, condition: Complete`);
    expect(await event('hourly', 'SuccessfulDelete')).to.equal(`Deleted job ${made[0]}`);
    await cluster.client.resource(resources.cronjobs).delete({ namespace, name: 'hourly' });
  });

  const long = { 'simulation.kubechain.dev/run-seconds': '100000' };
  const running = (name: string, count: number): Promise<CronJob> =>
    eventually(async () => {
      const found = await get(name);
      return found.status?.active?.length === count ? found : undefined;
    }, patient);

  it('wait for the job before, take its place, or start beside it', async () => {
    await create('forbid', { concurrencyPolicy: 'Forbid' }, long);
    await create('replace', { concurrencyPolicy: 'Replace' }, long);
    await create('allow', { concurrencyPolicy: 'Allow' }, long);
    const all = ['forbid', 'replace', 'allow'];
    await pause();
    const firstMs = clock.putOnToNextHour();
    await Promise.all(all.map((name) => running(name, 1)));
    const secondMs = clock.putOnToNextHour();
    await running('allow', 2);
    expect(await event('forbid', 'JobAlreadyActive')).to.equal(
      'Not starting job because prior execution is running and concurrency policy is Forbid',
    );
    expect(await event('replace', 'SuccessfulDelete')).to.equal(`Deleted job replace-${firstMs / 60_000}`);
    await eventually(async () => names(await jobsOf('replace')).join(' ') === `replace-${secondMs / 60_000}`, patient);
    // Its status tells of it a moment later.
    const isSecond = async (): Promise<boolean> =>
      (await running('replace', 1)).status?.active?.[0]?.name === `replace-${secondMs / 60_000}`;
    await eventually(isSecond, patient);
    expect((await running('replace', 1)).status?.active?.[0]).to.deep.include({
      apiVersion: 'batch/v1',
      kind: 'Job',
      name: `replace-${secondMs / 60_000}`,
    });
    expect(names(await jobsOf('forbid'))).to.deep.equal([`forbid-${firstMs / 60_000}`]);
    for (const name of all) await cluster.client.resource(resources.cronjobs).delete({ namespace, name });
  });

  it('miss starts while they are suspended, and make up for the last of them unless it is too late', async () => {
    await create('paused', { suspend: true, startingDeadlineSeconds: 900 });
    await create('late', { suspend: true, startingDeadlineSeconds: 60 });
    const startMs = clock.putOnToNextHour();
    clock.putOn(10 * 60_000);
    await pause();
    expect([...(await jobsOf('paused')), ...(await jobsOf('late'))]).to.deep.equal([]);
    for (const name of ['paused', 'late'])
      await cluster.client.resource(resources.cronjobs).patch({ namespace, name }, { spec: { suspend: false } });
    await eventually(async () => names(await jobsOf('paused')).join(' ') === `paused-${startMs / 60_000}`, patient);
    await pause();
    expect(await jobsOf('late')).to.deep.equal([]);
  });
});
