import { expect } from 'chai';
import type { KubeObject } from '@kubechain/apimachinery';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseStage } from './choose-stage.ts';
import { finalizerPatch } from './finalizer-patch.ts';
import { stagePresets } from './presets.ts';
import { readStages } from './read-stages.ts';
import { renderPatch } from './render-patch.ts';
import type { Stage } from './stage.ts';
import { stageFunctions } from './stage-functions.ts';

const nowMs = Date.parse('2026-01-01T00:00:00Z');

describe('stages', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'kubechain-stages-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const read = (text: string, name = 'a.yaml'): Promise<readonly Stage[]> => {
    writeFileSync(join(folder, name), text);
    return readStages([folder]);
  };
  const stage = (spec: string): string =>
    `apiVersion: kwok.x-k8s.io/v1alpha1\nkind: Stage\nmetadata: { name: one }\nspec:\n  resourceRef: { ` +
    `apiGroup: v1, kind: Pod }\n${spec.replaceAll(/^/gm, '  ')}`;
  const one = async (spec: string): Promise<Stage> => (await read(stage(spec)))[0]!;
  const pod = (more: object = {}): KubeObject => ({ apiVersion: 'v1', kind: 'Pod', ...more });

  it('are read from files, folders and presets', async () => {
    const [first] = await read(`kind: Kustomization\n---\n${stage('selector: {}')}`);
    expect(first?.place).to.equal(`${join(folder, 'a.yaml')}, document 2`);
    for (const name of stagePresets.keys()) expect(await readStages([name])).not.to.deep.equal([]);
  });

  const refused: readonly (readonly [what: string, spec: string, message: string])[] = [
    ['kinds without a name', 'resourceRef: { apiGroup: v1 }', ': spec.resourceRef.kind: must be given'],
    [
      'groups of too many parts',
      'resourceRef: { apiGroup: a/v1/b, kind: Boat }',
      ': spec.resourceRef.apiGroup: must be VERSION or GROUP/VERSION',
    ],
    ['what is not known', 'selector: {}\nfoo: 1', ': spec.foo: is not supported'],
    [
      'impersonation of nobody',
      "selector: {}\nnext: { statusTemplate: 'a: 1', statusPatchAs: {} }",
      ': spec.next.statusPatchAs.username: must be given',
    ],
    [
      'ways to apply',
      "selector: {}\nsteps: [{ apply: { template: 'a: 1', type: json } }]",
      ': spec.steps[0].apply.type: must be apply, merge or strategic',
    ],
    [
      'functions',
      'selector: {}\nnext:\n  statusTemplate: |\n    a: 1\n    b: {{ sha256sum "a" }}',
      ': spec.next.statusTemplate: line 2: function "sha256sum" is not supported',
    ],
    [
      'queries',
      "selector: { matchExpressions: [{ key: '.a | test(1)', operator: Exists }] }",
      ': spec.selector.matchExpressions[0].key: the function test/1 is not supported in the query .a | test(1)',
    ],
    [
      'operators',
      "selector: { matchExpressions: [{ key: '.a', operator: Near }] }",
      ': spec.selector.matchExpressions[0].operator: operator "Near" is not supported',
    ],
  ];
  for (const [what, spec, message] of refused)
    it(`say where they are not supported: ${what}`, async () => {
      const text = stage(spec).replace(/ {2}resourceRef.*\n(?=[\s\S]*resourceRef)/, '');
      const error: unknown = await read(text).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      expect(error)
        .to.be.an('error')
        .with.property('message', `${join(folder, 'a.yaml')}${message}`);
    });

  it('match by labels, annotations, queries and CEL', async () => {
    const { matches } = await one(`selector:
  matchLabels: { app: web }
  matchAnnotations: { a: b }
  matchExpressions:
  - { key: '.status.phase', operator: In, values: [Running] }
  - { key: '.metadata.finalizers', operator: DoesNotExist }
  - { jq: { key: '.spec.host', operator: NotIn, values: ['true'] } }
  - { cel: { expression: "!has(self.metadata.deletionTimestamp)" } }`);
    const metadata = { labels: { app: 'web' }, annotations: { a: 'b' } };
    expect(matches(pod({ metadata, status: { phase: 'Running' } }))).to.equal(true);
    expect(matches(pod({ metadata, status: { phase: 'Failed' } }))).to.equal(false);
    expect(matches(pod({ metadata, status: { phase: 'Running' }, spec: { host: true } }))).to.equal(false);
    expect(matches(pod({ metadata: { ...metadata, deletionTimestamp: 'x' }, status: { phase: 'Running' } }))).to.equal(
      false,
    );
    expect(matches(pod({ metadata: { labels: { app: 'web' } }, status: { phase: 'Running' } }))).to.equal(false);
  });

  it('wait as their delays and annotations say', async () => {
    const { delayOf } = await one(`selector: {}
delay:
  durationMilliseconds: 1000
  durationFrom: { expressionFrom: '.metadata.annotations.delay' }
  jitterDurationMilliseconds: 3000
  jitterDurationFrom: { jq: { expression: '.metadata.annotations.jitter' } }`);
    const delay = (annotations: Record<string, string>): number =>
      delayOf(pod({ metadata: { annotations } }), nowMs, 0.5);
    expect(delay({})).to.equal(2_000);
    expect(delay({ delay: '2s' })).to.equal(2_500);
    expect(delay({ delay: '2s', jitter: '1s' })).to.equal(1_000);
    expect(delay({ delay: '2026-01-01T00:00:10Z', jitter: '' })).to.equal(10_000);
    expect(delay({ delay: '' })).to.equal(0);
    expect((await one('selector: {}')).delayOf(pod(), nowMs, 0.5)).to.equal(0);
  });

  it('are chosen by weight', async () => {
    const stages = await read(
      [1, 3]
        .map((weight) =>
          stage(`selector: {}\nweight: ${weight}\nweightFrom: { expressionFrom: '.metadata.annotations.w${weight}' }`),
        )
        .join('\n---\n'),
    );
    const chosen = (random: number, annotations: Record<string, string> = {}): string =>
      chooseStage(stages, pod({ metadata: { annotations } }), () => random)?.place.slice(-1) ?? '';
    expect([0, 0.24, 0.26, 0.99].map((random) => chosen(random))).to.deep.equal(['1', '1', '2', '2']);
    expect(chosen(0.5, { w1: '99' })).to.equal('1');
    expect(chosen(0, { w1: '0', w3: '0' })).to.equal('1');
    expect(chosen(0, { w1: 'nonsense' })).to.equal('2');
  });

  it('render patches below their roots', async () => {
    const { steps } = await one(`selector: {}
steps:
- event: { type: Warning, reason: Why, message: because }
- finalizers: { remove: [{ value: a }] }
- patch: { root: metadata, template: "labels: { at: {{ Now | Quote }} }" }
- patch: { root: status, subresource: status, type: json, template: "- { op: add, path: /phase, value: {{ .status.next }} }" }
- patch:
    template: |
      status:
        {{ YAML .status 1 }}
- delete: true`);
    expect(steps.map(({ kind }) => kind)).to.deep.equal(['event', 'finalizers', 'patch', 'patch', 'patch', 'delete']);
    const find = await stageFunctions({ now: () => nowMs });
    const patches = await Promise.all(
      steps.flatMap((step) =>
        step.kind === 'patch' ? [renderPatch(step, { status: { next: 'Running', list: [1] } }, find)] : [],
      ),
    );
    expect(patches).to.deep.equal([
      { metadata: { labels: { at: '2026-01-01T00:00:00.000Z' } } },
      [{ op: 'add', path: '/status/phase', value: 'Running' }],
      { status: { next: 'Running', list: [1] } },
    ]);
  });

  it('change finalizers', () => {
    const change = (present: readonly string[], how: Partial<Parameters<typeof finalizerPatch>[1]>) =>
      finalizerPatch(present, { add: [], remove: [], empty: false, ...how });
    const path = '/metadata/finalizers';
    expect(change(['a', 'b'], { remove: ['a'], add: ['c'] })).to.deep.equal([{ op: 'add', path, value: ['b', 'c'] }]);
    expect(change(['a'], { remove: ['a'] })).to.deep.equal([{ op: 'remove', path }]);
    expect(change(['a'], { add: ['a'] })).to.deep.equal([]);
    expect(change([], { empty: true })).to.deep.equal([]);
  });
});
