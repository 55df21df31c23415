import { setTimeout as delay } from 'node:timers/promises';
import { builtinRelease, FieldPath } from '@kubechain/apimachinery';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { Stepwise } from '@kubechain/apiserver/resources';
import { expect } from 'chai';
import type { JSONSchemaProps } from '../schema/json-schema-props.ts';
import { ValueSchema } from '../schema/value-schema.ts';
import { Correlation } from '../values/correlation.ts';
import { CelMetrics } from './cel-metrics.ts';
import { celRuleCheckerOf } from './cel-rule-checker.ts';
import { RuleRun } from './rule-run.ts';

const schema = (): JSONSchemaProps => ({
  type: 'object',
  properties: {
    list: { type: 'array', items: { type: 'integer', 'x-kubernetes-validations': [{ rule: 'self > 0' }] } },
    free: { type: 'string' },
  },
  'x-kubernetes-validations': [{ rule: 'size(self.list) > 0' }],
});

describe('CelMetrics', () => {
  it('count compiling once for each schema with rules, and running for each value with rules in it', () => {
    const metrics = new CelMetrics(new MetricRegistry());
    const made = schema();
    for (let i = 0; i < 2; i++)
      new Stepwise(
        new RuleRun({ metrics, release: builtinRelease }).check(made, {
          path: FieldPath.root,
          value: { list: [1, 2], free: 'x' },
          old: undefined,
          correlation: undefined,
          isResource: false,
        }),
      ).makeNow();
    expect(metrics.compilations.count).to.equal(2);
    // The object, its list, and two items.
    expect(metrics.evaluations.count).to.equal(8);
  });

  it('do not count what others take between steps as time of the rules', async () => {
    const metrics = new CelMetrics(new MetricRegistry());
    const steps = new RuleRun({ metrics, release: builtinRelease }).check(schema(), {
      path: FieldPath.root,
      value: { list: [1], free: 'x' },
      old: undefined,
      correlation: undefined,
      isResource: false,
    });
    let restedMs = 0;
    while (steps.next().done !== true) {
      const restsAt = performance.now();
      await delay(500);
      restedMs += performance.now() - restsAt;
    }
    expect(restedMs).to.be.greaterThan(0);
    expect(metrics.evaluations.count).to.equal(3);
    expect(metrics.evaluations.sum).to.be.lessThan(restedMs / 1_000);
  });

  it('count compiling of definitions', () => {
    const metrics = new CelMetrics(new MetricRegistry());
    const made = schema();
    celRuleCheckerOf({ metrics }).begin(made).check({
      schema: made,
      path: FieldPath.root,
      ancestry: [],
      uncorrelatable: undefined,
      unchanged: false,
      storedExpressions: new Set(),
    });
    expect(metrics.compilations.count).to.equal(1);
  });

  it('are told how long comparing took, when somebody compared', () => {
    const spent = { seconds: 0 };
    const correlation = new Correlation({ free: 'x' }, { free: 'y' }, ValueSchema.of(schema()), spent);
    expect(spent.seconds).to.equal(0);
    expect(correlation.unchanged).to.equal(false);
    expect(spent.seconds).to.be.greaterThan(0);
  });
});
