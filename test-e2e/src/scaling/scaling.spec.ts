import type { KubeObject } from '@kubechain/apimachinery';
import { builtinScheme } from '@kubechain/apimachinery';
import { refusal } from '@kubechain/apiserver/testing';
import { expect } from 'chai';
import { atBodyLimit, findingText } from './bars.ts';
import { casesOf } from './cases.ts';
import { costOf } from './cost.ts';
import { measureCase } from './measure.ts';
import { allSubjects } from './subjects.ts';
import type { Stage } from './stages.ts';

describe('the gate that fills objects', () => {
  const scheme = builtinScheme();
  const kind = scheme.kind({ group: 'apps', version: 'v1', kind: 'Deployment' })!;
  const cases = [...casesOf({ name: 'apps/v1 Deployment', kind, scheme })];
  const at = cases.find(({ name }) => name === 'apps/v1 Deployment spec.template.spec.containers distinct')!;
  const namesOf = (object: KubeObject): unknown[] =>
    (object as unknown as { spec: { template: { spec: { containers: unknown[] } } } }).spec.template.spec.containers;
  const stage = (name: string, work: (items: readonly unknown[]) => unknown): Stage => ({
    name,
    prepare: (_subject, object) => () => work(namesOf(object)),
  });

  it('fills every list, map and text to about the size that is asked for', () => {
    const names = new Set(cases.map(({ name }) => name));
    for (const place of [
      'spec.selector.matchLabels distinct',
      'metadata.finalizers equal',
      'spec.strategy.type text "."',
    ])
      expect(names, place).to.include(`apps/v1 Deployment ${place}`);
    expect(JSON.stringify(at.object(100_000)).length).to.be.within(95_000, 110_000);
  });

  it('finds what takes more than in proportion, and what fails for its size', async () => {
    const { findings, runs } = await measureCase(at, { ...atBodyLimit, bytes: 240_000, heldMs: Infinity }, [
      stage('linear', (items) => items.map((item) => JSON.stringify(item))),
      // By far more than in proportion: that is told on a busy machine as well.
      stage('cubic', (items) => {
        const few = items.slice(0, items.length / 10);
        return few.map(() => few.map(() => JSON.stringify(few).length));
      }),
      stage('fails', () => {
        throw new RangeError('too many');
      }),
    ]);
    expect(runs).to.equal(3);
    expect(findings.map((finding) => finding.stage)).to.deep.equal(['cubic', 'fails']);
    expect(findingText(findings[1]!, atBodyLimit)).to.include(
      "--only 'apps/v1 Deployment spec.template.spec.containers distinct'",
    );
  });

  it('writes the bodies of subresources of built-in and custom objects, and is told of what is wrong', async () => {
    const subjects = new Map(allSubjects().map((subject) => [subject.name, subject]));
    for (const name of [
      'v1 pods/binding',
      'v1 pods/eviction',
      'apps/v1 deployments/scale',
      'example.com/v1 pumps/scale',
    ])
      expect(subjects.get(name)?.bodyOf, name).to.not.equal(undefined);
    expect(subjects.get('example.com/v1 pumps/status')?.resource).to.not.equal(undefined);
    const scaleTo = (replicas: number): Promise<unknown> =>
      subjects.get('apps/v1 deployments/scale')!.bodyOf!.plain({
        apiVersion: 'autoscaling/v1',
        kind: 'Scale',
        metadata: { name: 'pumped', namespace: 'default' },
        spec: { replicas },
      })();
    await scaleTo(1);
    expect((await refusal(() => scaleTo(-1))).message).to.equal(
      'Scale.autoscaling "pumped" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0',
    );
  });

  it('tells what held the loop from what was done in pieces', async () => {
    const spin = (): void => {
      const end = performance.now() + 40;
      while (performance.now() < end);
    };
    const whole = await costOf(() => {
      spin();
      spin();
      spin();
    });
    const pieces = await costOf(async () => {
      for (let i = 0; i < 3; i++) {
        spin();
        await new Promise((resolve) => setImmediate(resolve));
      }
    });
    expect(whole.heldMs).to.be.greaterThan(0.9 * whole.totalMs);
    expect(pieces.heldMs).to.be.lessThan(0.8 * pieces.totalMs);
  });
});
