import { expect } from 'chai';
import { mergeExpositions } from './merge-expositions.ts';

const family = (name: string, type: string, ...samples: string[]): string =>
  `# HELP ${name} Help.\n# TYPE ${name} ${type}\n${samples.map((sample) => `${sample}\n`).join('')}`;

describe('mergeExpositions', () => {
  it('adds up counts and histograms, and keeps the first of gauges', () => {
    const front =
      family('a_total', 'counter', 'a_total{code="200"} 3') +
      family('g', 'gauge', 'g{of="db"} 10') +
      family('s', 'histogram', 's_bucket{le="1"} 1', 's_bucket{le="+Inf"} 2', 's_sum 0.5', 's_count 2');
    const behind =
      family('a_total', 'counter', 'a_total{code="200"} 4', 'a_total{code="404"} 1') +
      family('g', 'gauge', 'g{of="db"} 11', 'g{of="x y"} 1') +
      family('s', 'histogram', 's_bucket{le="1"} 0', 's_bucket{le="+Inf"} 1', 's_sum 2', 's_count 1');
    expect(mergeExpositions([front, behind])).to.equal(
      family('a_total', 'counter', 'a_total{code="200"} 7', 'a_total{code="404"} 1') +
        family('g', 'gauge', 'g{of="db"} 10', 'g{of="x y"} 1') +
        family('s', 'histogram', 's_bucket{le="1"} 1', 's_bucket{le="+Inf"} 3', 's_sum 2.5', 's_count 3'),
    );
  });

  it('keeps the largest of what counts metrics', () => {
    const count = (value: number, level = 'BETA'): string =>
      family('registered_metrics_total', 'counter', `registered_metrics_total{stability_level="${level}"} ${value}`);
    expect(mergeExpositions([count(3), count(5), count(4)])).to.equal(count(5));
  });

  it('tells quantiles of whoever has counted more', () => {
    const summary = (value: number, count: number, labels = ''): string =>
      family(
        's',
        'summary',
        `s{${labels}quantile="0.5"} ${value}`,
        labels === '' ? `s_count ${count}` : `s_count{${labels.slice(0, -1)}} ${count}`,
      );
    expect(mergeExpositions([summary(1, 2), summary(7, 3)])).to.equal(summary(7, 5));
    expect(mergeExpositions([summary(1, 4, 'a="b",'), summary(7, 3, 'a="b",')])).to.equal(summary(1, 7, 'a="b",'));
  });

  it('shows metrics of either in order, and the process of the first', () => {
    const front =
      family('b_total', 'counter', 'b_total 1') +
      family('process_cpu_seconds_total', 'counter', 'process_cpu_seconds_total 1');
    const behind =
      family('a', 'gauge', 'a{x="} # 1"} 2') +
      family('process_cpu_seconds_total', 'counter', 'process_cpu_seconds_total 5');
    expect(mergeExpositions([front, behind])).to.equal(family('a', 'gauge', 'a{x="} # 1"} 2') + front);
  });

  it('leaves a single one as it is', () => {
    expect(mergeExpositions(['anything'])).to.equal('anything');
  });
});
