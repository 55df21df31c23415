import { limits, StatusError, type KubeObject } from '@kubechain/apimachinery';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { expect } from 'chai';
import type { AdmissionAttributes, AdmissionObjects, AdmissionPlugin } from '../admission.ts';
import { createAdmissionChain } from '../chain.ts';
import { plainObjects } from '../plain-objects.ts';
import { configureLogging } from '../../logging/logger.ts';
import { alwaysAllow } from '../../authorization/always.ts';
import { LargeObjectError } from '../../request/side-server.ts';
import { creationOf, oneNamespace } from '../testing/attributes.ts';
import { hooksOf, type Hook, type StoredWebhook } from './hook.ts';
import { MutatingAdmissionWebhook } from './mutating-webhooks.ts';
import { ValidatingAdmissionWebhook } from './validating-webhooks.ts';
import { WebhookMetrics } from './webhook-metrics.ts';

const everything: Partial<StoredWebhook> = {
  rules: [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['v1'], resources: ['*/*'] }],
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
};

interface Review {
  readonly request: {
    readonly uid: string;
    readonly object: KubeObject | null;
    readonly operation: string;
    readonly resource: { readonly version: string };
  };
}
type Answer = (request: Review['request']) => object | Promise<object>;
interface Written {
  readonly webhook?: Partial<StoredWebhook>;
  readonly answer: Answer;
}

const allow: Answer = () => ({ allowed: true });
const deny =
  (status?: object): Answer =>
  () => ({ allowed: false, ...(status === undefined ? {} : { status }) });
const add =
  (path: string, value: unknown): Answer =>
  () => ({
    allowed: true,
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify([{ op: 'add', path, value }])).toString('base64'),
  });

/** Webhooks that answer in this process, and the order in which they were asked. */
function webhooks(written: Readonly<Record<string, Written>>): {
  readonly hooks: readonly Hook[];
  readonly asked: string[];
  readonly seen: Review['request'][];
} {
  const asked: string[] = [];
  const seen: Review['request'][] = [];
  const hooks = Object.entries(written).flatMap(([name, { answer, webhook }]) =>
    hooksOf('c', [{ ...everything, ...webhook, name, clientConfig: {} }], {
      services: { resolve: () => Promise.reject(new TypeError('no services')) },
    }).map((hook): Hook => ({
      ...hook,
      client: {
        async post(body, { maxBytes }) {
          expect(maxBytes).to.equal(limits.admissionAnswer.value);
          const { request } = JSON.parse(body) as Review;
          asked.push(name);
          seen.push(request);
          return Buffer.from(
            JSON.stringify({
              kind: 'AdmissionReview',
              apiVersion: 'admission.k8s.io/v1',
              response: { uid: request.uid, ...(await answer(request)) },
            }),
          );
        },
        close: () => undefined,
      },
    })),
  );
  return { hooks, asked, seen };
}

const warnings: string[] = [];
const attributes = (more: Partial<AdmissionAttributes> = {}): AdmissionAttributes =>
  creationOf({
    addWarning: (text) => {
      warnings.push(text);
    },
    ...more,
  });

function run(
  hooks: readonly Hook[],
  mutating: boolean,
  registry = new MetricRegistry(),
): { admit(asked: AdmissionAttributes): Promise<string> } {
  const options = {
    source: { hooks: () => hooks, hasSynced: true, waitForSync: () => Promise.resolve() },
    namespaces: oneNamespace,
    authorizer: alwaysAllow,
    metrics: new WebhookMetrics(registry),
  };
  const plugin: AdmissionPlugin = mutating
    ? new MutatingAdmissionWebhook(options)
    : new ValidatingAdmissionWebhook(options);
  const chain = createAdmissionChain([plugin]);
  return {
    async admit(asked) {
      try {
        await (mutating ? chain.admit(asked) : chain.validate(asked));
        return 'admitted';
      } catch (error) {
        const { code, message } = error as StatusError;
        return `${code} ${message}`;
      }
    },
  };
}
const admit = (written: Readonly<Record<string, Written>>, mutating: boolean, asked = attributes()): Promise<string> =>
  run(webhooks(written).hooks, mutating).admit(asked);

describe('mutating webhooks', () => {
  it('have their patches recorded where the audit log wants the object', async () => {
    const recorded: string[] = [];
    const answer: Answer = () => ({
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from('[{"value":"<x>","path":"/data/one","op":"add"}]').toString('base64'),
    });
    const asked = attributes({
      addRequestAnnotation: (key, value) => void recorded.push(`${key} ${value()}`),
    });
    expect(await admit({ 'first.x.io': { answer }, 'second.x.io': { answer: allow } }, true, asked)).to.equal(
      'admitted',
    );
    expect(recorded).to.deep.equal([
      'patch.webhook.admission.k8s.io/round_0_index_0 {"configuration":"c","webhook":"first.x.io",' +
        String.raw`"patch":[{"op":"add","path":"/data/one","value":"\u003cx\u003e"}],"patchType":"JSONPatch"}`,
    ]);
  });

  it('see what those before them made of the object', async () => {
    const { asked, hooks, seen } = webhooks({
      'first.x.io': { answer: add('/data/one', 'x') },
      'second.x.io': { answer: add('/data/two', 'y') },
    });
    const request = attributes();
    expect(await run(hooks, true).admit(request)).to.equal('admitted');
    expect(asked).to.deep.equal(['first.x.io', 'second.x.io']);
    expect(seen[1]?.object).to.deep.equal({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'x' },
      data: { one: 'x' },
    });
    expect(request.object?.['data']).to.deep.equal({ one: 'x', two: 'y' });
  });

  it('change no digit of integers that nobody else can hold', async () => {
    const patch = '[{"op":"add","path":"/data/two","value":9007199254740995}]';
    const answer: Answer = () => ({
      allowed: true,
      patchType: 'JSONPatch',
      patch: Buffer.from(patch).toString('base64'),
    });
    const read: string[] = [];
    const objects: AdmissionObjects = {
      ...plainObjects,
      encode: () => Promise.resolve('{"apiVersion":"v1","kind":"ConfigMap","data":{"one":9007199254740993}}'),
      decode: (text, kind) => {
        read.push(text);
        return plainObjects.decode(text, kind);
      },
    };
    expect(await run(webhooks({ 'a.x.io': { answer } }).hooks, true).admit(attributes({ objects }))).to.equal(
      'admitted',
    );
    expect(read).to.deep.equal([
      '{"apiVersion":"v1","kind":"ConfigMap","data":{"one":9007199254740993,"two":9007199254740995}}',
    ]);
  });

  it('are called once more where they ask for it and the object changed after them', async () => {
    const { asked, hooks } = webhooks({
      'again.x.io': { webhook: { reinvocationPolicy: 'IfNeeded' }, answer: allow },
      'never.x.io': { answer: allow },
      'changes.x.io': { answer: add('/data/two', 'y') },
    });
    await run(hooks, true).admit(attributes());
    expect(asked).to.deep.equal(['again.x.io', 'never.x.io', 'changes.x.io', 'again.x.io']);
  });

  it('are not called again where nothing changed', async () => {
    const { asked, hooks } = webhooks({
      'again.x.io': { webhook: { reinvocationPolicy: 'IfNeeded' }, answer: allow },
      'idle.x.io': { answer: add('/data', {}) },
    });
    await run(hooks, true).admit(attributes());
    expect(asked).to.deep.equal(['again.x.io', 'idle.x.io']);
  });

  it('cannot change what has no object', async () => {
    expect(
      await admit(
        { 'a.x.io': { answer: add('/data/one', 'x') } },
        true,
        attributes({ operation: 'DELETE', object: undefined, oldObject: { metadata: { name: 'x' } } }),
      ),
    ).to.equal(
      '500 Internal error occurred: admission webhook "a.x.io" attempted to modify the object, which is not ' +
        'supported for this operation',
    );
  });

  it('answer with patches that can be applied', async () => {
    expect(await admit({ 'a.x.io': { answer: add('/nope/one', 'x') } }, true)).to.match(
      /^500 Internal error occurred: /,
    );
    expect(await admit({ 'a.x.io': { answer: () => ({ allowed: true, patch: 'e30=' }) } }, true)).to.equal(
      '500 Internal error occurred: failed calling webhook "a.x.io": received invalid webhook response: ' +
        'webhook returned response.patch but not response.patchType',
    );
  });

  it('answer with patches that are no deeper and have no more values than bodies', async () => {
    const patch = (value: string): Written => ({
      answer: () => ({
        allowed: true,
        patchType: 'JSONPatch',
        patch: Buffer.from(`[{"op":"add","path":"/data","value":${value}}]`).toString('base64'),
      }),
    });
    const deep = await admit({ 'a.x.io': patch(`${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`) }, true);
    expect(deep).to.include('failed calling webhook "a.x.io": received undecodable patch in webhook response: ');
    expect(deep).to.include('exceeded max depth');
    expect(await admit({ 'a.x.io': patch(`[${'0,'.repeat(limits.bodyValues.value)}0]`) }, true)).to.include(
      `limit is ${limits.bodyValues.value} values`,
    );
  });

  it('leave what they have made too large for the thread that serves everybody to another one', async () => {
    const objects = { ...plainObjects, decode: () => Promise.reject(new LargeObjectError()) };
    const { hooks } = webhooks({ 'a.x.io': { webhook: { failurePolicy: 'Ignore' }, answer: add('/data/one', 'x') } });
    expect(await run(hooks, true).admit(attributes({ objects }))).to.include(new LargeObjectError().message);
  });
});

describe('validating webhooks', () => {
  const denials: readonly (readonly [name: string, status: object | undefined, outcome: string])[] = [
    ['nothing', undefined, '400 admission webhook "a.x.io" denied the request without explanation'],
    ['a message', { message: 'not today' }, '400 admission webhook "a.x.io" denied the request: not today'],
    ['a reason', { reason: 'Conflict' }, '400 admission webhook "a.x.io" denied the request: Conflict'],
    ['a code', { code: 409, message: 'clash' }, '409 admission webhook "a.x.io" denied the request: clash'],
    [
      'a code that HTTP has not',
      { code: 99_999, message: 'no' },
      '500 admission webhook "a.x.io" denied the request: no',
    ],
    ['the code of a success', { code: 200, message: 'ok?' }, '400 admission webhook "a.x.io" denied the request: ok?'],
  ];
  for (const [name, status, outcome] of denials)
    it(`refuse with ${name}`, async () => {
      expect(await admit({ 'a.x.io': { answer: deny(status) } }, false)).to.equal(outcome);
    });

  it('are all asked at once', async () => {
    let waiting = 0;
    let release: () => void = () => undefined;
    const all = new Promise<void>((resolve) => {
      release = resolve;
    });
    const together: Answer = async () => {
      if (++waiting === 2) release();
      await all;
      return { allowed: true, warnings: ['seen'] };
    };
    warnings.length = 0;
    expect(await admit({ 'a.x.io': { answer: together }, 'b.x.io': { answer: together } }, false)).to.equal('admitted');
    expect(warnings).to.deep.equal(['seen', 'seen']);
  });

  it('that cannot be asked count as their failure policy says', async () => {
    const broken: Answer = () => Promise.reject(new TypeError('Post "https://a": EOF'));
    const registry = new MetricRegistry();
    const hooks: Hook[] = [];
    const running = run(hooks, false, registry);
    const outcome = (failurePolicy: string): Promise<string> => {
      hooks.splice(0, 1, ...webhooks({ 'a.x.io': { webhook: { failurePolicy }, answer: broken } }).hooks);
      return running.admit(attributes());
    };
    expect(await outcome('Fail')).to.equal(
      '500 Internal error occurred: failed calling webhook "a.x.io": failed to call webhook: Post "https://a": EOF',
    );
    expect(await outcome('Ignore')).to.equal('admitted');
    expect(registry.samples('apiserver_admission_webhook_rejection_count')).to.deep.equal([
      {
        value: 1,
        labels: {
          name: 'a.x.io',
          type: 'validating',
          operation: 'CREATE',
          error_type: 'calling_webhook_error',
          rejection_code: '503',
        },
      },
    ]);
    expect(registry.samples('apiserver_admission_webhook_fail_open_count')).to.deep.equal([
      { value: 1, labels: { name: 'a.x.io', type: 'validating' } },
    ]);
  });

  describe('end with a reason, which is told once and counted', () => {
    const late = new TypeError('Post "https://a": deadline exceeded', {
      cause: new DOMException('aborted', 'AbortError'),
    });
    const refusal = new StatusError({ status: 'Failure', code: 404, message: 'not here' });
    const ends: readonly (readonly [reason: string, answer: Answer])[] = [
      ['no_answer', () => Promise.reject(new TypeError('Post "https://a": EOF'))],
      ['timeout', () => Promise.reject(late)],
      ['refused', () => Promise.reject(refusal)],
      ['invalid_answer', () => ({ uid: 'other', allowed: true })],
    ];
    let lines: string[];
    beforeEach(() => {
      lines = [];
      configureLogging({ verbosity: 3, write: (line) => void lines.push(line) });
    });
    afterEach(() => {
      configureLogging({ verbosity: 0 });
    });
    const reasonsOf = (registry: MetricRegistry): unknown[] =>
      registry.samples('apiserver_admission_webhook_terminations_total').map(({ labels }) => labels?.['reason']);

    for (const [reason, answer] of ends)
      it(reason, async () => {
        const registry = new MetricRegistry();
        await run(webhooks({ 'a.x.io': { answer } }).hooks, false, registry).admit(attributes());
        expect(reasonsOf(registry)).to.deep.equal([reason]);
        expect(lines).to.have.length(1);
        expect(lines[0]).to.contain(`reason="${reason}"`).and.to.contain('audit-ID="audit-1"');
      });

    it('denied, and allowed without a line', async () => {
      const hooks: Hook[] = [];
      const registry = new MetricRegistry();
      const running = run(hooks, false, registry);
      for (const answer of [(() => ({ allowed: false })) satisfies Answer, allow]) {
        hooks.splice(0, 1, ...webhooks({ 'a.x.io': { answer } }).hooks);
        await running.admit(attributes());
      }
      expect(reasonsOf(registry)).to.deep.equal(['denied', 'allowed']);
      expect(lines).to.have.length(1);
      expect(lines[0]).to.contain('reason="denied"');
    });

    it('request_over', async () => {
      const over = new AbortController();
      const registry = new MetricRegistry();
      const answer: Answer = () => {
        over.abort();
        return Promise.reject(late);
      };
      const { hooks } = webhooks({ 'a.x.io': { answer } });
      await run(hooks, false, registry).admit(attributes({ signal: over.signal }));
      expect(reasonsOf(registry)).to.deep.equal(['request_over']);
    });
  });

  const answers: readonly (readonly [name: string, answer: Answer, reason: string])[] = [
    ['another uid', () => ({ uid: 'other', allowed: true }), 'expected response.uid='],
    [
      'a patch',
      () => ({ allowed: true, patch: 'e30=', patchType: 'JSONPatch' }),
      'validating webhook may not return response.patch',
    ],
  ];
  for (const [name, answer, reason] of answers)
    it(`do not answer with ${name}`, async () => {
      expect(await admit({ 'a.x.io': { answer } }, false)).to.contain(
        `failed calling webhook "a.x.io": received invalid webhook response: ${reason}`,
      );
    });

  const skipped: readonly (readonly [
    name: string,
    webhook: Partial<StoredWebhook>,
    asked: Partial<AdmissionAttributes>,
  ])[] = [
    ['objects with other labels', { objectSelector: { matchLabels: { a: 'b' } } }, {}],
    ['namespaces with other labels', { namespaceSelector: { matchLabels: { team: 'b' } } }, {}],
    [
      'other versions under match policy Exact',
      { matchPolicy: 'Exact' },
      { resource: { group: '', version: 'v2', resource: 'configmaps' } },
    ],
    [
      'what does not meet their conditions',
      {
        matchConditions: [
          { name: 'a', expression: 'true' },
          { name: 'b', expression: "object.metadata.name == 'other'" },
        ],
      },
      {},
    ],
    [
      'what their conditions fail for under failure policy Ignore',
      { failurePolicy: 'Ignore', matchConditions: [{ name: 'a', expression: 'object.none' }] },
      {},
    ],
    [
      'webhook configurations',
      {},
      { kind: { group: 'admissionregistration.k8s.io', version: 'v1', kind: 'MutatingWebhookConfiguration' } },
    ],
  ];
  for (const [name, webhook, asked] of skipped)
    it(`are not asked about ${name}`, async () => {
      expect(await admit({ 'a.x.io': { webhook, answer: deny() } }, false, attributes(asked))).to.equal('admitted');
    });

  const conditions: readonly (readonly [name: string, expressions: readonly string[], outcome: string])[] = [
    [
      'are met',
      [
        "request.userInfo.username == 'u'",
        "authorizer.requestResource.check('create').allowed()",
        'namespaceObject == null',
      ],
      '400 admission webhook "a.x.io" denied the request without explanation',
    ],
    [
      'fail',
      ["object.data.a == 'x'"],
      `403 configmaps "x" is forbidden: expression 'object.data.a == 'x'' resulted in error: no such key: a`,
    ],
    [
      'fail twice',
      ["object.data.a == 'x'", "object.data.b == 'x'"],
      `403 configmaps "x" is forbidden: [expression 'object.data.a == 'x'' resulted in error: no such key: a, ` +
        `expression 'object.data.b == 'x'' resulted in error: no such key: b]`,
    ],
    ['fail beside one that is false', ["object.data.a == 'x'", 'false'], 'admitted'],
    [
      'cost too much',
      Array.from(
        { length: 4 },
        () => "authorizer.path('/').check('get').allowed() && authorizer.path('/').check('get').allowed()",
      ),
      '403 configmaps "x" is forbidden: validation failed due to running out of cost budget, no further ' +
        'validation rules will be run',
    ],
  ];
  for (const [name, expressions, outcome] of conditions) {
    it(`are asked as conditions say that ${name}`, async () => {
      expect(
        await admit(
          {
            'a.x.io': {
              webhook: { matchConditions: expressions.map((expression, i) => ({ name: `c${i}`, expression })) },
              answer: deny(),
            },
          },
          false,
        ),
      ).to.equal(outcome);
    });
  }

  it('get an object in the version they know', async () => {
    const { hooks, seen } = webhooks({ 'a.x.io': { answer: allow } });
    const objects = {
      ...plainObjects,
      equivalents: () => [
        {
          resource: { group: '', version: 'v1', resource: 'configmaps' },
          kind: { group: '', version: 'v1', kind: 'ConfigMap' },
        },
      ],
    };
    expect(
      await run(hooks, false).admit(
        attributes({
          objects,
          resource: { group: '', version: 'v2', resource: 'configmaps' },
          kind: { group: '', version: 'v2', kind: 'ConfigMap' },
        }),
      ),
    ).to.equal('admitted');
    expect(seen[0]?.resource.version).to.equal('v1');
    expect(seen[0]?.object?.apiVersion).to.equal('v1');
  });

  it('with side effects take no part in a dry run', async () => {
    expect(
      await admit(
        { 'a.x.io': { webhook: { sideEffects: 'Some' }, answer: allow } },
        false,
        attributes({ dryRun: true }),
      ),
    ).to.equal('400 admission webhook "a.x.io" does not support dry run');
    expect(
      await admit(
        { 'a.x.io': { webhook: { sideEffects: 'NoneOnDryRun' }, answer: allow } },
        false,
        attributes({ dryRun: true }),
      ),
    ).to.equal('admitted');
  });

  it('are waited for while nobody knows which there are', async () => {
    const { hooks, asked } = webhooks({ 'a.x.io': { answer: allow } });
    const known = Promise.withResolvers<void>();
    const source = { hooks: () => hooks, hasSynced: false, waitForSync: () => known.promise };
    const validated = new ValidatingAdmissionWebhook({
      source,
      namespaces: oneNamespace,
      authorizer: alwaysAllow,
      metrics: new WebhookMetrics(new MetricRegistry()),
    }).validate(attributes());
    expect(asked).to.deep.equal([]);
    source.hasSynced = true;
    known.resolve();
    await validated;
    expect(asked).to.deep.equal(['a.x.io']);
  });

  it('refuse everything when that is not known in time', async () => {
    const source = {
      hooks: () => [],
      hasSynced: false,
      waitForSync: (signal?: AbortSignal) =>
        new Promise<void>((resolve) => {
          signal?.addEventListener('abort', () => resolve());
        }),
    };
    const gone = new AbortController();
    const plugin = new ValidatingAdmissionWebhook({
      source,
      namespaces: oneNamespace,
      authorizer: alwaysAllow,
      metrics: new WebhookMetrics(new MetricRegistry()),
    });
    const refused = Promise.resolve(plugin.validate(attributes({ signal: gone.signal }))).then(
      () => 'admitted',
      (error: unknown) => (error as StatusError).message,
    );
    gone.abort();
    expect(await refused).to.equal('configmaps "x" is forbidden: not yet ready to handle request');
  });
});
