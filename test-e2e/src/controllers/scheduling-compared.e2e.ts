import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { playScheduling, startScheduling } from './compare/play-scheduling.ts';
import { schedulingScenarios } from './compare/scheduling-scenarios.ts';
import type { LiveCluster } from './live-cluster.ts';

const recorded = JSON.parse(
  readFileSync(new URL('compare/recorded-scheduling.json', import.meta.url), 'utf8'),
) as Readonly<Record<string, readonly string[]>>;

/** What kube-scheduler 1.36.2 did is recorded by compare/scheduling.ts. */
describe('pods are placed, refused and preempted as by kube-scheduler', () => {
  let cluster: LiveCluster;
  before(async () => {
    cluster = await startScheduling(['kube-scheduler']);
  });
  after(() => cluster.stop());

  for (const [number, scenario] of schedulingScenarios.entries())
    it(scenario.name, async () => {
      const expected = recorded[scenario.name] ?? ['nothing is recorded'];
      expect(await playScheduling(cluster, scenario, { number, expected })).to.deep.equal(expected);
    });
});
