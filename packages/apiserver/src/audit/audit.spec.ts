import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { expect } from 'chai';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OptionsError } from '../options/index.ts';
import { httpDelegate } from '../server/delegation/http-delegate.ts';
import { JSONText } from '../request/json-text.ts';
import { ask, runTestServer } from '../server/testing/test-server.ts';
import type { AuditEvent } from './audit-event.ts';
import { AuditLogFile } from './audit-log-file.ts';
import { AuditMetrics } from './audit-metrics.ts';
import { compileAuditPolicy, type AuditRule } from './audit-policy.ts';
import { Auditor } from './auditor.ts';
import { loadAuditPolicy } from './load-audit-policy.ts';

const clock = { now: Date.now };
const metrics = new AuditMetrics(new MetricRegistry());

function recorder(rules: readonly AuditRule[]): { readonly auditor: Auditor; readonly events: AuditEvent[] } {
  const events: AuditEvent[] = [];
  return {
    events,
    auditor: new Auditor({
      policy: { rules },
      clock,
      metrics,
      backend: {
        process(added) {
          events.push(...(JSON.parse(JSON.stringify(added)) as AuditEvent[]));
          return true;
        },
        async close() {
          /* nothing is open */
        },
      },
    }),
  };
}

describe('audit policy', () => {
  const attributes = {
    user: { name: 'alice', groups: ['devs'] },
    verb: 'get',
    resourceRequest: true,
    path: '/api/v1/namespaces/a/pods/p/log',
    namespace: 'a',
    apiGroup: '',
    apiVersion: 'v1',
    resource: 'pods',
    subresource: 'log',
    name: 'p',
  };
  const rows: readonly (readonly [name: string, rule: Omit<AuditRule, 'level'>, matches: boolean])[] = [
    ['everything', {}, true],
    ['user', { users: ['alice'] }, true],
    ['other user', { users: ['bob'] }, false],
    ['group', { userGroups: ['ops', 'devs'] }, true],
    ['other verb', { verbs: ['list'] }, false],
    ['resource without its subresource', { resources: [{ group: '', resources: ['pods'] }] }, false],
    ['subresource', { resources: [{ group: '', resources: ['pods/log'] }] }, true],
    ['all subresources', { resources: [{ group: '', resources: ['pods/*'] }] }, true],
    ['a subresource of everything', { resources: [{ group: '*', resources: ['*/log'] }] }, true],
    ['a group', { resources: [{ group: 'apps' }] }, false],
    ['a name', { resources: [{ group: '', resources: ['pods/log'], resourceNames: ['q'] }] }, false],
    ['a namespace', { namespaces: ['a'] }, true],
    ['another namespace', { namespaces: ['b'] }, false],
    ['paths', { nonResourceURLs: ['/api*'] }, false],
  ];
  for (const [name, rule, matches] of rows) {
    it(`${matches ? 'matches' : 'does not match'}: ${name}`, () => {
      expect(compileAuditPolicy({ rules: [{ level: 'Metadata', ...rule }] })(attributes).level).to.equal(
        matches ? 'Metadata' : 'None',
      );
    });
  }
  it('matches paths by their beginning', () => {
    const decide = compileAuditPolicy({ rules: [{ level: 'Request', nonResourceURLs: ['/healthz*', '/version'] }] });
    const at = (path: string): string => decide({ ...attributes, resourceRequest: false, path }).level;
    expect([at('/healthz/etcd'), at('/version'), at('/version/')]).to.deep.equal(['Request', 'Request', 'None']);
  });

  const directory = mkdtempSync(join(tmpdir(), 'audit-'));
  after(() => {
    rmSync(directory, { recursive: true });
  });
  const file = (text: string): string => {
    const path = join(directory, 'policy.yaml');
    writeFileSync(path, text);
    return path;
  };
  it('is read from a file', () => {
    expect(
      loadAuditPolicy(
        file('apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules:\n- level: Metadata\n'),
      ).rules,
    ).to.deep.equal([{ level: 'Metadata' }]);
  });
  for (const [text, problem] of [
    ['apiVersion: v1\nkind: Policy\n', 'must be kind Policy of audit.k8s.io/v1, is Policy of v1'],
    ['apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: []', 'loaded illegal policy with 0 rules'],
    ['apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: All}]', 'rules[0].level: Unsupported value: "All"'],
    [
      'apiVersion: audit.k8s.io/v1\nkind: Policy\nrules: [{level: None, nonResourceURLs: [x]}]',
      'rules[0].nonResourceURLs: Invalid value: "x"',
    ],
    ['a: [', 'failed decoding'],
  ] as const) {
    it(`is refused in one line: ${problem}`, () => {
      expect(() => loadAuditPolicy(file(text))).to.throw(
        OptionsError,
        `--audit-policy-file: ${directory}/policy.yaml: ${problem}`,
      );
    });
  }
});

describe('auditing', () => {
  it('records a request where it is answered, once, with the user in front', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'audit-hop-'));
    const path = join(directory, 'back.sock');
    const inFront = recorder([{ level: 'Metadata', omitStages: ['RequestReceived'] }]);
    const inBack = recorder([{ level: 'RequestResponse', omitStages: ['RequestReceived'], omitManagedFields: true }]);
    const behind = await runTestServer(
      { auditor: inBack.auditor, delegateListener: { address: { kind: 'unix', path } } },
      {
        name: 'back',
        prepare(server) {
          server.routes.set(
            { group: '', version: 'v1', resource: 'pods', subresource: '' },
            {
              namespaced: true,
              handlers: new Map([
                [
                  'create',
                  (_request, response, context) => {
                    context.auditRecord?.setRequest({ metadata: { name: 'p', managedFields: [] }, spec: {} });
                    context.auditRecord?.setResponse({ metadata: { name: 'p', uid: 'u' } });
                    context.addAuditAnnotation('k', 'v');
                    response.writeHead(201);
                    response.end('{}');
                  },
                ],
              ]),
            },
          );
        },
      },
    );
    const front = await runTestServer(
      { auditor: inFront.auditor },
      { name: 'front', delegate: httpDelegate({ name: 'back', address: { kind: 'unix', path } }) },
    );
    const port = front.info.securePort ?? 0;
    await ask(port, '/api/v1/namespaces/a/pods', {
      method: 'POST',
      body: '{}',
      headers: {
        'audit-id': 'one',
        'impersonate-user': 'bob',
        'impersonate-group': 'system:masters',
        'user-agent': 'test/1',
      },
    });
    await ask(port, '/version', { headers: { 'audit-id': 'two' } });
    await ask(port, '/version', { token: 'alice', headers: { 'audit-id': 'three' } });
    while (inFront.events.length < 2 || inBack.events.length < 1) await delay(5);
    await delay(50);
    expect(inFront.events.map(({ auditID, responseStatus }) => [auditID, responseStatus?.code])).to.deep.equal([
      ['two', 200],
      ['three', 403],
    ]);
    expect(inBack.events).to.have.length(1);
    expect(inBack.events[0]).to.deep.include({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID: 'one',
      stage: 'ResponseComplete',
      verb: 'create',
      requestURI: '/api/v1/namespaces/a/pods',
      userAgent: 'test/1',
      sourceIPs: ['127.0.0.1'],
      user: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      impersonatedUser: { username: 'bob', groups: ['system:masters', 'system:authenticated'] },
      objectRef: { resource: 'pods', namespace: 'a', name: 'p', apiVersion: 'v1' },
      responseStatus: { metadata: {}, code: 201 },
      requestObject: { metadata: { name: 'p' }, spec: {} },
      responseObject: { metadata: { name: 'p', uid: 'u' } },
      annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '', k: 'v' },
    });
    expect(inFront.events[1]).to.deep.include({
      annotations: { 'authorization.k8s.io/decision': 'forbid', 'authorization.k8s.io/reason': '' },
    });
    expect(inFront.events[1]?.responseStatus).to.deep.include({ status: 'Failure', reason: 'Forbidden', code: 403 });
    expect(inBack.events[0]).not.to.have.property('authenticationMetadata');
    await front.stop();
    await behind.stop();
    rmSync(directory, { recursive: true });
  });

  it('tells of a watch when it begins and when it ends', async () => {
    const { auditor, events } = recorder([{ level: 'Metadata' }]);
    let end: (() => void) | undefined;
    const running = await runTestServer(
      { auditor },
      {
        prepare(server) {
          server.routes.set(
            { group: '', version: 'v1', resource: 'pods', subresource: '' },
            {
              namespaced: true,
              handlers: new Map([
                [
                  'watch',
                  (_request, response) => {
                    response.writeHead(200);
                    response.flushHeaders();
                    end = () => {
                      response.end();
                    };
                  },
                ],
              ]),
            },
          );
        },
      },
    );
    const watch = ask(running.info.securePort ?? 0, '/api/v1/pods?watch=1');
    while (end === undefined) await delay(5);
    expect(events.map(({ stage }) => stage)).to.deep.equal(['RequestReceived', 'ResponseStarted']);
    end();
    await watch;
    while (events.length < 3) await delay(5);
    expect(events.map(({ stage }) => stage)).to.deep.equal(['RequestReceived', 'ResponseStarted', 'ResponseComplete']);
    await running.stop();
  });

  it('tells once of who could not be authenticated, and of nobody', async () => {
    const { auditor, events } = recorder([{ level: 'RequestResponse' }]);
    const running = await runTestServer({ auditor });
    await ask(running.info.securePort ?? 0, '/api/v1/namespaces/a/pods/p', { token: 'bad' });
    await running.stop();
    expect(
      events.map(({ objectRef, responseStatus, stage, user }) => ({ objectRef, responseStatus, stage, user })),
    ).to.deep.equal([
      {
        stage: 'ResponseStarted',
        user: {},
        objectRef: { resource: 'pods', namespace: 'a', name: 'p', apiVersion: 'v1' },
        responseStatus: { metadata: {}, status: 'Failure', message: 'Unauthorized', reason: 'Unauthorized', code: 401 },
      },
    ]);
  });

  it('writes one JSON object a line, and rotates by size', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'audit-log-'));
    const path = join(directory, 'audit.log');
    const event = {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      auditID: 'x',
      stage: 'ResponseComplete',
      requestURI: `/${'y'.repeat(600_000)}`,
      verb: 'get',
      user: { username: 'a' },
      requestReceivedTimestamp: '',
      stageTimestamp: '',
    } as const;
    const log = new AuditLogFile({ path, format: 'json', maxSizeMegabytes: 1, maxBackups: 1, maxAgeDays: 0, metrics });
    for (let i = 0; i < 5; i++) {
      void log.process([event]);
      await delay(5);
    }
    await log.close();
    const files = readdirSync(directory);
    expect(files).to.have.length(2);
    for (const file of files)
      for (const line of readFileSync(join(directory, file), 'utf8').trimEnd().split('\n'))
        expect(JSON.parse(line)).to.deep.equal(event);
    rmSync(directory, { recursive: true, force: true });
  });

  it('writes large JSON as it is, piece by piece, and what comes behind it after it', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'audit-log-'));
    const path = join(directory, 'audit.log');
    const log = new AuditLogFile({ path, format: 'json', maxSizeMegabytes: 0, maxBackups: 1, maxAgeDays: 0, metrics });
    const event = (auditID: string, responseObject: unknown): AuditEvent => ({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID,
      stage: 'ResponseComplete',
      requestURI: '/',
      verb: 'list',
      user: { username: 'a' },
      responseObject,
      requestReceivedTimestamp: '',
      stageTimestamp: '',
    });
    const items = ['x'.repeat(50_000), 'é'.repeat(50_000)];
    const json = Buffer.from(JSON.stringify({ items }, null, 1));
    const text = JSONText.of([json.subarray(0, 60_001), json.subarray(60_001)]);
    const events = [event('a', text), event('b', JSONText.of([Buffer.from('{\n}')])), event('c', {})];
    expect(await Promise.all(events.map(async (each) => log.process([each])))).to.deep.equal([true, true, true]);
    void log.process([event('d', text)]);
    await log.close();
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).to.deep.equal(
      JSON.parse(JSON.stringify([...events, event('d', text)])),
    );
    rmSync(directory, { recursive: true });
  });

  it('writes no line into the middle of one that another process writes', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'audit-log-'));
    const path = join(directory, 'audit.log');
    // Each has a file of its own, as processes do that are told the same path.
    const logs = Array.from(
      { length: 3 },
      () => new AuditLogFile({ path, format: 'json', maxSizeMegabytes: 0, maxBackups: 0, maxAgeDays: 0, metrics }),
    );
    const pieces = Array.from({ length: 30 }, () => Buffer.alloc(70_000, 'x'));
    const large = JSONText.of([Buffer.from('{"a":"'), ...pieces, Buffer.from('"}')]);
    const event = (responseObject?: unknown): AuditEvent => ({
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'RequestResponse',
      auditID: 'x',
      stage: 'ResponseComplete',
      requestURI: '/',
      verb: 'list',
      user: { username: 'a' },
      ...(responseObject === undefined ? {} : { responseObject }),
      requestReceivedTimestamp: '',
      stageTimestamp: '',
    });
    for (let i = 0; i < 10; i++) {
      void logs[0]?.process([event(large)]);
      for (const log of logs.slice(1)) {
        void log.process([event()]);
        void log.process([
          event(JSONText.of(pieces.map((piece, at) => (at === 0 ? Buffer.from('"') : piece)).concat(Buffer.from('"')))),
        ]);
      }
      await delay(2);
    }
    await Promise.all(logs.map((log) => log.close()));
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    expect(lines).to.have.lengthOf(50);
    for (const line of lines) expect(JSON.parse(line)).to.have.property('kind', 'Event');
    rmSync(directory, { recursive: true });
  });

  it('refuses a path that cannot be written', () => {
    const directory = mkdtempSync(join(tmpdir(), 'audit-log-'));
    expect(
      () =>
        new AuditLogFile({
          path: directory,
          format: 'json',
          maxSizeMegabytes: 0,
          maxBackups: 0,
          maxAgeDays: 0,
          metrics,
        }),
    ).to.throw(OptionsError, `--audit-log-path: cannot write ${directory}: EISDIR`);
    rmSync(directory, { recursive: true });
  });
});
