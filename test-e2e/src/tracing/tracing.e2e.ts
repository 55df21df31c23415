import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { registerExtension } from '../harness/register-extension.ts';
import { registerPatchingWebhook, startPatchingWebhook, type PatchingWebhook } from '../page/webhook-server.ts';
import { Collector, type ExportedSpan } from './collector.ts';
import { startExtension } from './extension.ts';

const group = 'traced.example.com';
const ships = `/apis/${group}/v1/namespaces/default/ships`;
const traceOf = (digit: string): string => digit.repeat(32);
const callerID = '00f067aa0ba902b7';
const traceparent = (trace: string, sampled = true): Record<string, string> => ({
  traceparent: `00-${trace}-${callerID}-0${sampled ? 1 : 0}`,
});

describe('traces', function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-traces-'));
  let collector: Collector;
  let chain: Chain;
  let admin: Client;
  let webhook: PatchingWebhook;
  let extension: Server;
  const far: IncomingHttpHeaders[] = [];

  before(async () => {
    collector = await Collector.start();
    const file = join(folder, 'tracing.yaml');
    writeFileSync(
      file,
      `apiVersion: apiserver.config.k8s.io/v1\nkind: TracingConfiguration\nendpoint: ${collector.endpoint}\n`,
    );
    chain = await startChain({ flags: [`--tracing-config-file=${file}`, '-v=3'] });
    admin = Client.fromKubeconfig(chain.kubeconfig);
    const definition = await admin.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: `ships.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { plural: 'ships', kind: 'Ship' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    });
    expect(definition.status, definition.text).to.equal(201);
    await admin.until(ships, ({ status }) => status === 200);
    webhook = await startPatchingWebhook(chain, [{ op: 'add', path: '/metadata/labels', value: { seen: 'yes' } }]);
    await registerPatchingWebhook(admin, webhook, { name: 'harbour', group, resource: 'ships' });
    extension = await startExtension(far);
    await registerExtension(admin, {
      group: 'far.example.com',
      versions: ['v1'],
      port: (extension.address() as AddressInfo).port,
    });
  });
  after(async () => {
    extension.close();
    extension.closeAllConnections();
    webhook.close();
    await chain.stop();
    collector.close();
    rmSync(folder, { recursive: true });
  });

  const one = (spans: readonly ExportedSpan[], server: string, name: string): ExportedSpan => {
    const found = spans.filter((span) => span.server === server && span.name === name);
    expect(found, `${server}: ${name}`).to.have.length(1);
    return found[0] as ExportedSpan;
  };

  it('follow a request through three processes, to the store, and out to a webhook', async () => {
    const trace = traceOf('a');
    const name = 'POST /apis/traced.example.com/v1/namespaces/{:namespace}/ships';
    const ship = (metadata: object): object => ({ apiVersion: `${group}/v1`, kind: 'Ship', metadata });
    // The webhook may not be known at once.
    for (let seen = false; !seen;) {
      const { body } = await admin.post(ships, ship({ generateName: 'tried-' }));
      seen = body.metadata.labels?.seen === 'yes';
    }
    const answer = await admin.post(ships, ship({ name: 'argo' }), { headers: traceparent(trace) });
    expect(answer.body.metadata.labels).to.deep.equal({ seen: 'yes' });
    const spans = await collector.wholeTrace(trace, ['authentication', 'Call mutating webhook'], callerID);
    const last = spans.find((span) => span.name === 'Call mutating webhook') as ExportedSpan;
    const byID = new Map(spans.map((span) => [span.id, span]));
    const path: string[] = [];
    for (let span: ExportedSpan | undefined = last; span !== undefined; span = byID.get(span.parent))
      path.unshift(`${span.server}: ${span.name}`);
    expect(path).to.deep.equal([
      `aggregator: ${name}`,
      'aggregator: HTTP POST',
      `kube-apiserver: ${name}`,
      'kube-apiserver: HTTP POST',
      `apiextensions: ${name}`,
      'apiextensions: Create',
      'apiextensions: Call mutating webhook',
    ]);
    const create = byID.get(last.parent) as ExportedSpan;
    const below = spans.filter((span) => span.parent === create.id).map((span) => span.name);
    expect(below).to.include.members(['Call mutating webhook', 'Create etcd3', 'SerializeObject']);
    expect(create.events).to.deep.equal([
      'limitedReadBody succeeded',
      'About to convert to expected version',
      'Conversion done',
      'About to store object in database',
      'Write to database call succeeded',
      'About to write a response',
      'Writing http response done',
    ]);
    expect(create.attributes).to.include({ verb: 'create', resource: 'ships', 'api-group': group, scope: 'resource' });
    const stored = spans.find((span) => span.parent === create.id && span.name === 'Create etcd3') as ExportedSpan;
    expect(stored.events).to.deep.equal([
      'About to Encode',
      'Encode succeeded',
      'TransformToStorage succeeded',
      'Txn call succeeded',
    ]);
    const call = spans.find((span) => span.parent === stored.id) as ExportedSpan;
    expect([call.name, call.kind]).to.deep.equal(['etcdserverpb.KV/Txn', 3]);
    // What the webhook was told names the step in which it was asked.
    const asked = spans.find((span) => span.parent === last.id) as ExportedSpan;
    expect(asked.name).to.equal('HTTP POST');
    expect(webhook.asked.at(-1)?.['traceparent']).to.equal(`00-${trace}-${asked.id}-01`);
    for (const span of spans) {
      expect(span.service).to.equal('apiserver');
      expect(span.endNs >= span.startNs, span.name).to.equal(true);
    }
    const roots = spans.filter((span) => span.parent === callerID);
    expect(new Set(roots.map((span) => `${span.server}: ${span.name} ${span.kind}`))).to.deep.equal(
      new Set([`aggregator: ${name} 2`]),
    );
  });

  it('tell what the store does for an update', async () => {
    const trace = traceOf('9');
    const { body } = await admin.post('/api/v1/namespaces/default/configmaps', { metadata: { generateName: 'told-' } });
    const patched = await admin.call('PATCH', `/api/v1/namespaces/default/configmaps/${body.metadata.name}`, {
      body: { data: { a: '1' } },
      headers: { ...traceparent(trace), 'Content-Type': 'application/merge-patch+json' },
    });
    expect(patched.status, patched.text).to.equal(200);
    const spans = await collector.trace(trace, ['GuaranteedUpdate etcd3', 'Patch']);
    expect(one(spans, 'kube-apiserver', 'GuaranteedUpdate etcd3').events).to.deep.equal([
      'initial value restored',
      'About to Encode',
      'Encode succeeded',
      'TransformToStorage succeeded',
      'Transaction prepared',
      'Txn call completed',
      'Transaction committed',
    ]);
  });

  it('have the steps of the filters, and ids that logs and audit ids lead to', async () => {
    const trace = traceOf('b');
    const { headers, status } = await admin.get('/api/v1/namespaces/default', { headers: traceparent(trace) });
    expect(status).to.equal(200);
    const name = 'GET /api/v1/namespaces/{:namespace}/namespaces/{:name}';
    const spans = await collector.wholeTrace(trace, [name, 'authorization', 'Get', 'cacher.Get'], callerID);
    for (const filter of [
      'authentication',
      'constrainedimpersonation',
      'priorityandfairness',
      'authorization',
      'HTTP GET',
    ])
      expect(one(spans, 'aggregator', filter).parent).to.equal(one(spans, 'aggregator', name).id);
    expect(one(spans, 'kube-apiserver', 'cacher.Get').parent).to.equal(one(spans, 'kube-apiserver', 'Get').id);
    for (const server of ['aggregator', 'kube-apiserver']) {
      expect(one(spans, server, name).attributes['audit-id']).to.equal(headers['audit-id']);
      expect(one(spans, server, name).attributes['http.response.status_code']).to.equal('200');
    }
    for (const server of ['aggregator', 'kube-apiserver'])
      expect(readFileSync(join(chain.dataDir, 'logs', `${server}.log`), 'utf8')).to.match(
        new RegExp(`"HTTP" .*audit-ID="${String(headers['audit-id'])}".*traceID="${trace}"`),
      );
  });

  it('go on in extension servers', async () => {
    const trace = traceOf('c');
    expect((await admin.get('/apis/far.example.com/v1/boats', { headers: traceparent(trace) })).status).to.equal(200);
    const spans = await collector.trace(trace, ['HTTP GET']);
    expect(far.map((headers) => headers['traceparent'])).to.include(
      `00-${trace}-${one(spans, 'aggregator', 'HTTP GET').id}-01`,
    );
  });

  it('are neither begun nor filled by strangers', async () => {
    const trace = traceOf('d');
    const anonymous = await admin.get('/version', { as: { kind: 'anonymous' }, headers: traceparent(trace) });
    expect(anonymous.status).to.equal(200);
    const unsampled = traceOf('e');
    await admin.get('/api/v1/namespaces', { headers: traceparent(unsampled, false) });
    // Spans leave in the order in which they end, five seconds after the first of them at most.
    const later = traceOf('f');
    await admin.get('/api/v1/namespaces', { headers: traceparent(later) });
    await collector.trace(later, ['GET /api/v1/namespaces', 'List']);
    expect(collector.spans.filter(({ traceID }) => traceID === trace || traceID === unsampled)).to.deep.equal([]);
    expect(collector.spans.filter(({ links }) => links.includes(trace))).to.deep.equal([]);
  });

  it('show a watch that begins with what there is', async () => {
    const trace = traceOf('9');
    const watch = await admin.watch(
      '/api/v1/namespaces?watch=true&allowWatchBookmarks=true&sendInitialEvents=true' +
        '&resourceVersionMatch=NotOlderThan',
      { headers: traceparent(trace) },
    );
    const spans = await collector.trace(trace, ['WatchList', 'WatchServer.HandleHTTP', 'cacher.Watch']);
    const served = one(spans, 'kube-apiserver', 'WatchServer.HandleHTTP');
    const listed = one(spans, 'kube-apiserver', 'WatchList');
    expect(served.parent).to.equal(listed.id);
    expect(one(spans, 'kube-apiserver', 'cacher.Watch').parent).to.equal(listed.id);
    expect(served.events).to.deep.equal(['About to start writing response', 'Writing initial events done']);
    expect(served.attributes).to.include({ url: '/api/v1/namespaces', mediaType: 'application/json' });
    expect(listed.attributes).to.include({ verb: 'watch', resource: 'namespaces' });
    // They end with the initial events, not with the watch, which is open yet.
    expect(spans.map(({ name }) => name)).to.not.include('GET /api/v1/namespaces');
    watch.close();
  });
});
