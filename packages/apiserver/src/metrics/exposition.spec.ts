import { expect } from 'chai';
import { Counter } from 'prom-client';
import { MetricRegistry, type RegisteredMetric } from '@kubechain/shared-storage/metrics';
import { Exposition } from './exposition.ts';

const metric = (
  name: string,
  collect: RegisteredMetric['collect'],
  type: RegisteredMetric['description']['type'] = 'counter',
): RegisteredMetric => ({ description: { name, help: `Help of ${name}\nin lines`, type }, collect });

function expose(metrics: readonly RegisteredMetric[], registry = new MetricRegistry()): Exposition {
  for (const { collect, description } of metrics) registry.collected(description, collect);
  return new Exposition(registry);
}

describe('exposition of metrics', () => {
  it('prints type, help and labels as Prometheus reads them', async () => {
    const text = await expose([
      metric('requests_total', () => [
        { value: 3, labels: { code: '200', path: 'a"b\\c\nd' } },
        { value: 1, labels: {} },
      ]),
      metric(
        'seconds',
        () => [
          { value: 2, labels: { le: '+Inf' }, name: 'seconds_bucket' },
          { value: 0.5, labels: {}, name: 'seconds_sum' },
        ],
        'histogram',
      ),
    ]).text();
    expect(text).to.contain(
      '# HELP requests_total Help of requests_total\\nin lines\n# TYPE requests_total ' +
        'counter\nrequests_total{code="200",path="a\\"b\\\\c\\nd"} 3\nrequests_total 1\n',
    );
    expect(text).to.contain('# TYPE seconds histogram\nseconds_bucket{le="+Inf"} 2\nseconds_sum 0.5\n');
  });

  it('shows nothing of a metric that has no samples yet', async () => {
    let happened = false;
    const exposition = expose([metric('rare_total', () => (happened ? [{ value: 1, labels: {} }] : []))]);
    expect(await exposition.text()).not.to.contain('rare_total');
    happened = true;
    expect(await exposition.text()).to.contain('rare_total 1\n');
  });

  it('orders by name, the process and what others register included', async () => {
    const exposition = expose([
      metric('zzz_total', () => [{ value: 1, labels: {} }]),
      metric('aaa_total', () => [{ value: 1, labels: {} }]),
    ]);
    new Counter({ name: 'mmm_total', help: 'Of an embedding program.', registers: [exposition.registry] }).inc(2);
    const names = [...(await exposition.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
    expect(names).to.include.members([
      'aaa_total',
      'mmm_total',
      'zzz_total',
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'process_start_time_seconds',
      'nodejs_eventloop_lag_seconds',
    ]);
    expect(names).to.deep.equal([...names].sort((a = '', b = '') => (a < b ? -1 : 1)));
  });

  it("counts the processor's time from the start of the process", async () => {
    const text = await expose([]).text();
    const { system, user } = process.cpuUsage();
    // What was used while prom-client began to count is in no count.
    const lost = 100_000;
    for (const [part, microseconds] of [
      ['', user + system],
      ['user_', user],
      ['system_', system],
    ] as const) {
      const shown = Number(new RegExp(`^process_cpu_${part}seconds_total (\\S+)$`, 'm').exec(text)?.[1]);
      expect(Math.round(shown * 1e6), part).to.be.within(microseconds - lost, microseconds);
    }
    expect(user).to.be.above(lost);
  });

  it('takes a metric anew when it is registered anew', async () => {
    let value = 1;
    const registry = new MetricRegistry();
    const exposition = expose([metric('cells', () => [{ value, labels: {} }], 'gauge')], registry);
    expect(await exposition.text()).to.contain('\ncells 1\n');
    value = 5;
    expect(await exposition.text()).to.contain('\ncells 5\n');
    registry.collected({ name: 'cells', help: 'Cells.', type: 'gauge' }, () => [{ value: 7, labels: {} }]);
    expect(await exposition.text()).to.contain('\ncells 7\n');
  });
});
