import { decodeWatchFrame } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { CoreV1Api, KubeConfig, makeInformer, RbacAuthorizationV1Api, type V1ConfigMap } from '@kubernetes/client-node';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { connect, constants, type OutgoingHttpHeaders } from 'node:http2';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  JournalExpectationError,
  startTestEnvironment,
  type JournalEntry,
  type JournalFilter,
  type TestEnvironment,
} from 'kubechain/testing';

const run = promisify(execFile);
const bin = join(import.meta.dirname, '../../../packages/kubechain/bin/kubechain.js');
const namespace = 'default';
const named = (name: string, data: Record<string, string> = {}): { namespace: string; body: V1ConfigMap } => ({
  namespace,
  body: { metadata: { name }, data },
});

async function until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 500; i++) {
    if (await condition()) return;
    await delay(20);
  }
  throw new Error(`it has not come to this: ${what}`);
}

/** What a call is refused with. */
async function refusal(call: Promise<unknown>): Promise<{ readonly code: number; readonly body: string }> {
  try {
    await call;
  } catch (error) {
    const { body, code } = error as { readonly code?: number; readonly body?: unknown };
    return { code: code ?? 0, body: typeof body === 'string' ? body : JSON.stringify(body ?? String(error)) };
  }
  throw new Error('it was not refused');
}

async function messageOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'none',
    (error: unknown) => (error as Error).message,
  );
}

for (const topology of ['all-in-one', 'processes'] as const)
  describe(`powers of a test environment: ${topology}`, function () {
    this.timeout(120_000);
    let env: TestEnvironment;
    let config: KubeConfig;
    let core: CoreV1Api;

    before(async () => {
      env = await startTestEnvironment({ topology, control: true });
      config = new KubeConfig();
      config.loadFromOptions(env.kubeConfig);
      core = config.makeApiClient(CoreV1Api);
    });
    after(() => env.stop());
    afterEach(async () => {
      await env.faults.clear();
      await env.snapshots.reset();
    });

    describe('snapshots', () => {
      it('put back what was changed, deleted and made, and informers follow without a restart', async () => {
        await core.createNamespacedConfigMap(named('kept', { a: '1' }));
        await core.createNamespacedConfigMap(named('changed', { a: '1' }));
        await env.snapshots.save('before');
        const seen = new Map<string, string | undefined>();
        const informer = makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
          core.listNamespacedConfigMap({ namespace }),
        );
        const put = (object: V1ConfigMap): void => void seen.set(object.metadata?.name ?? '', object.data?.['a']);
        informer.on('add', put);
        informer.on('update', put);
        informer.on('delete', (object) => void seen.delete(object.metadata?.name ?? ''));
        let over = false;
        informer.on('error', () => {
          setTimeout(() => {
            if (!over) void informer.start();
          }, 10);
        });
        await informer.start();
        try {
          await core.deleteNamespacedConfigMap({ namespace, name: 'kept' });
          await core.createNamespacedConfigMap(named('new', { a: '1' }));
          const { metadata } = await core.replaceNamespacedConfigMap({
            ...named('changed', { a: '2' }),
            name: 'changed',
          });
          await until(
            'the informer has seen all',
            () => seen.has('new') && !seen.has('kept') && seen.get('changed') === '2',
          );
          await env.snapshots.restore('before');
          const { items, metadata: list } = await core.listNamespacedConfigMap({ namespace });
          const names = items.map((item) => item.metadata?.name).filter((name) => name !== 'kube-root-ca.crt');
          expect(names).to.deep.equal(['changed', 'kept']);
          expect(Number(list?.resourceVersion)).to.be.greaterThan(Number(metadata?.resourceVersion));
          await until(
            'the informer has what was restored',
            () => JSON.stringify([seen.get('changed'), seen.has('kept'), seen.has('new')]) === '["1",true,false]',
          );
        } finally {
          over = true;
          await informer.stop();
        }
      });

      it('end watches with 410', async () => {
        const { metadata } = await core.listNamespacedConfigMap({ namespace });
        const user = await env.addUser('watcher', ['system:masters']);
        await env.snapshots.save('now');
        const [json, protobuf] = ['application/json', 'application/vnd.kubernetes.protobuf;stream=watch'].map((type) =>
          watchBytes(user.kubeconfigText, metadata?.resourceVersion ?? '', type),
        );
        expect([await json!.opened, await protobuf!.opened]).to.deep.equal([200, 200]);
        await core.createNamespacedConfigMap(named('seen', { a: '1' }));
        await env.snapshots.restore('now');
        const line = (await json!.all).toString().trimEnd().split('\n').at(-1) ?? '';
        expect(JSON.parse(line)).to.nested.include({ type: 'ERROR', 'object.code': 410 });
        const frame = framesOf(await protobuf!.all).at(-1);
        expect([frame?.type, frame?.object.includes('Expired')]).to.deep.equal(['ERROR', true]);
      });

      it('go into a file, and into another environment', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'kubechain-snapshot-'));
        try {
          const file = join(folder, 'state.jsonl');
          await core.createNamespacedConfigMap(named('travels', { a: '1' }));
          const robot = await env.addUser(`system:serviceaccount:${namespace}:traveller`);
          await env.snapshots.save('one');
          await env.snapshots.writeFile('one', file);
          expect(readFileSync(file, 'utf8').split('\n')[0]).to.contain('KubechainSnapshot');
          await using other = await startTestEnvironment({ topology: 'all-in-one', control: true, fromSnapshot: file });
          const there = new KubeConfig();
          there.loadFromOptions(other.kubeConfig);
          const found = await there.makeApiClient(CoreV1Api).readNamespacedConfigMap({ namespace, name: 'travels' });
          expect(found.data).to.deep.equal({ a: '1' });
          // A token of before is as good there: it is known, and may do nothing.
          const token = robot.kubeConfig.users[0]?.token ?? '';
          there.loadFromOptions({ ...other.kubeConfig, users: [{ name: 'kubernetes-admin', token }] });
          expect((await refusal(there.makeApiClient(CoreV1Api).listNamespace())).code).to.equal(403);
          // By the command, too: for tests in other languages.
          const dataDir = join(folder, 'chain');
          const ofUp = topology === 'processes' ? 'chain' : topology;
          const up = ['up', '--detach', '--secure-port=0', `--topology=${ofUp}`, `--from-snapshot=${file}`];
          await run(process.execPath, [bin, ...up, '--data-dir', dataDir]);
          try {
            const begun = new KubeConfig();
            begun.loadFromFile(join(dataDir, 'admin.kubeconfig'));
            const core = begun.makeApiClient(CoreV1Api);
            expect((await core.readNamespacedConfigMap({ namespace, name: 'travels' })).data).to.deep.equal({ a: '1' });
            await core.deleteNamespacedConfigMap({ namespace, name: 'travels' });
            await run(process.execPath, [bin, 'snapshot', 'reset', '--data-dir', dataDir]);
            await core.readNamespacedConfigMap({ namespace, name: 'travels' });
          } finally {
            await run(process.execPath, [bin, 'down', '--data-dir', dataDir]);
          }
        } finally {
          rmSync(folder, { recursive: true });
        }
      });

      it('are forked into another environment, with the time and the keys of this one', async () => {
        const robot = await env.addUser(`system:serviceaccount:${namespace}:robot`);
        await core.createNamespacedConfigMap(named('forked', { a: '1' }));
        await env.clock.set('2040-01-01T00:00:00Z');
        await using fork = await env.fork();
        await env.clock.reset();
        const there = new KubeConfig();
        there.loadFromOptions(fork.kubeConfig);
        const other = there.makeApiClient(CoreV1Api);
        const { data } = await other.readNamespacedConfigMap({ namespace, name: 'forked' });
        expect(data).to.deep.equal({ a: '1' });
        const { metadata } = await other.createNamespacedConfigMap(named('only-there'));
        expect(metadata?.creationTimestamp?.getUTCFullYear()).to.equal(2040);
        expect((await refusal(core.readNamespacedConfigMap({ namespace, name: 'only-there' }))).code).to.equal(404);
        await core.deleteNamespacedConfigMap({ namespace, name: 'forked' });
        await other.readNamespacedConfigMap({ namespace, name: 'forked' });
        // A token of before is as good there.
        await fork.clock.reset();
        const token = robot.kubeConfig.users[0]?.token ?? '';
        const asRobot = new KubeConfig();
        asRobot.loadFromOptions({ ...fork.kubeConfig, users: [{ name: 'kubernetes-admin', token }] });
        expect((await refusal(asRobot.makeApiClient(CoreV1Api).listNamespace())).code).to.equal(403);
        await fork.snapshots.reset();
        await other.readNamespacedConfigMap({ namespace, name: 'forked' });
      });

      it('are refused by names that there are none of, and files that are none', async () => {
        await env.snapshots.restore('nothing').then(
          () => expect.fail('it was restored'),
          (error: Error) => expect(error.message).to.equal('there is no snapshot "nothing"'),
        );
      });
    });

    describe('faults', () => {
      const codes: readonly (readonly [code: 409 | 410 | 429 | 500 | 503 | 504, reason: string])[] = [
        [409, 'Conflict'],
        [410, 'Expired'],
        [429, 'TooManyRequests'],
        [500, 'InternalError'],
        [503, 'ServiceUnavailable'],
        [504, 'Timeout'],
      ];
      for (const [code, reason] of codes)
        it(`refuse with ${code}, as often as was asked for`, async () => {
          const fault = await env.faults.add({
            match: { verbs: ['create'], resources: ['configmaps'], names: [''] },
            effect: { kind: 'status', code, message: 'asked for' },
            count: 1,
          });
          const refused = await refusal(core.createNamespacedConfigMap(named(`refused-${code}`)));
          expect(refused.code).to.equal(code);
          expect(refused.body).to.contain(`"${reason}"`).and.to.contain('asked for');
          await core.createNamespacedConfigMap(named(`refused-${code}`));
          expect(await fault.happened()).to.equal(1);
        });

      it('meet those alone that they are for', async () => {
        await env.faults.add({
          match: { users: ['somebody-else'], resources: ['configmaps'] },
          effect: { kind: 'status', code: 500 },
        });
        await env.faults.add({
          match: { resources: ['configmaps/status', 'secrets'] },
          effect: { kind: 'status', code: 500 },
        });
        await core.createNamespacedConfigMap(named('left-alone'));
        expect((await refusal(core.listNamespacedSecret({ namespace }))).code).to.equal(500);
      });

      it('let another writer be faster, who leaves the object as it was', async () => {
        const read = await core.createNamespacedConfigMap(named('overtaken', { a: '1' }));
        const fault = await env.faults.add({
          match: { resources: ['configmaps'], names: ['overtaken'] },
          effect: { kind: 'conflict' },
          count: 1,
        });
        const body = {
          metadata: { name: 'overtaken', resourceVersion: read.metadata?.resourceVersion ?? '' },
          data: { a: '2' },
        };
        const replace = (): Promise<V1ConfigMap> =>
          core.replaceNamespacedConfigMap({ namespace, name: 'overtaken', body });
        const refused = await refusal(replace());
        expect([refused.code, refused.body.includes('the object has been modified')]).to.deep.equal([409, true]);
        expect(await fault.happened()).to.equal(1);
        // The fault is over: whoever does not read again meets the conflict still.
        expect((await refusal(replace())).code).to.equal(409);
        const now = await core.readNamespacedConfigMap({ namespace, name: 'overtaken' });
        expect(now.metadata?.resourceVersion).to.not.equal(read.metadata?.resourceVersion);
        expect(now.data).to.deep.equal({ a: '1' });
        body.metadata.resourceVersion = now.metadata?.resourceVersion ?? '';
        await replace();
      });

      it('delay', async () => {
        await env.faults.add({ match: { verbs: ['get'] }, effect: { kind: 'delay', milliseconds: 300 } });
        const startedAt = performance.now();
        await core.readNamespace({ name: namespace });
        expect(performance.now() - startedAt).to.be.at.least(290);
      });

      for (const [when, carriedOut] of [
        ['before', false],
        ['after', true],
      ] as const) {
        it(`break connections ${when} a write is carried out`, async () => {
          await env.faults.add({ match: { verbs: ['create'] }, effect: { kind: 'cut', when }, count: 1 });
          const name = `cut-${when}`;
          await refusal(core.createNamespacedConfigMap(named(name)));
          expect(await exists(name)).to.equal(carriedOut);
        });
        it(`time out ${when} a write is carried out`, async () => {
          await env.faults.add({ match: { verbs: ['create'] }, effect: { kind: 'timeout', when }, count: 1 });
          const name = `timeout-${when}`;
          expect((await refusal(core.createNamespacedConfigMap(named(name)))).code).to.equal(504);
          expect(await exists(name)).to.equal(carriedOut);
        });
      }

      it('answer a status as often without words of the test', async () => {
        for (const [code] of codes) {
          await env.faults.add({ match: { names: [namespace] }, effect: { kind: 'status', code }, count: 1 });
          expect((await refusal(core.readNamespace({ name: namespace }))).code).to.equal(code);
        }
      });

      it('reset a stream of HTTP/2 with an error, so that nobody takes a half for the whole', async () => {
        const session = connect(env.url, { ca: env.caCertificate });
        for (const when of ['before', 'within', 'after'] as const) {
          await env.faults.add({ match: { verbs: ['list'] }, effect: { kind: 'cut', when }, count: 1 });
          const stream = session.request({
            ':path': '/api/v1/namespaces?pretty=true',
            authorization: `Bearer ${env.adminToken}`,
          });
          stream.resume();
          stream.on('error', () => undefined);
          await once(stream, 'close').catch(() => undefined);
          expect(stream.rstCode, when).to.equal(constants.NGHTTP2_INTERNAL_ERROR);
        }
        session.close();
      });

      it('break an answer off in the middle', async () => {
        await env.faults.add({ match: { verbs: ['list'] }, effect: { kind: 'cut', when: 'within' }, count: 1 });
        await refusal(core.listNamespace());
        expect((await core.listNamespace()).items.length).to.be.greaterThan(0);
      });

      describe('of a replica that lags', () => {
        const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
        interface Read {
          readonly kind?: string;
          readonly metadata: { readonly resourceVersion: string };
          readonly data?: Record<string, string>;
          readonly items?: readonly { readonly metadata: { readonly name: string }; readonly data?: object }[];
        }
        const read = async (path: string): Promise<readonly [code: number, body: Read]> => {
          const asked = get(`${env.url}${path}`, {
            ca: env.caCertificate,
            headers: { authorization: `Bearer ${env.adminToken}`, accept: 'application/json' },
          });
          const [response] = (await once(asked, 'response')) as [IncomingMessage];
          return [response.statusCode ?? 0, JSON.parse(await text(response)) as Read];
        };
        const names = async (query: string): Promise<string[]> =>
          (await read(`${configMaps}${query}`))[1]
            .items!.map(({ metadata }) => metadata.name)
            .filter((name) => name !== 'kube-root-ca.crt');

        beforeEach(async () => {
          await core.createNamespacedConfigMap(named('old', { at: 'first' }));
          await core.createNamespacedConfigMap(named('gone'));
        });
        const change = async (): Promise<void> => {
          await core.replaceNamespacedConfigMap({ name: 'old', ...named('old', { at: 'last' }) });
          await core.deleteNamespacedConfigMap({ namespace, name: 'gone' });
          await core.createNamespacedConfigMap(named('new'));
        };

        it('show what was to reads that take it, and what is to all others', async () => {
          const mark = await env.journal.mark();
          const match = { resources: ['configmaps'], userAgents: ['*'] };
          const fault = await env.faults.add({ match, effect: { kind: 'stale' } });
          await change();
          expect(await names('?resourceVersion=0')).to.deep.equal(['gone', 'old']);
          expect(await names('')).to.deep.equal(['new', 'old']);
          const [, old] = await read(`${configMaps}/old?resourceVersion=0`);
          expect([old.kind, old.data]).to.deep.equal(['ConfigMap', { at: 'first' }]);
          const [, now] = await read(`${configMaps}/old`);
          expect(now.data).to.deep.equal({ at: 'last' });
          expect(Number(old.metadata.resourceVersion)).to.be.lessThan(Number(now.metadata.resourceVersion));
          expect((await read(`${configMaps}/gone?resourceVersion=0`))[0]).to.equal(200);
          const [code, refused] = await read(`${configMaps}/new?resourceVersion=0`);
          expect([code, refused]).to.deep.equal([
            404,
            {
              kind: 'Status',
              apiVersion: 'v1',
              metadata: {},
              status: 'Failure',
              message: 'configmaps "new" not found',
              reason: 'NotFound',
              details: { name: 'new', kind: 'configmaps' },
              code: 404,
            },
          ]);
          expect(await fault.happened()).to.equal(4);
          const entries = await env.journal.waitFor({ since: mark, verb: 'get', code: 404 });
          expect(entries).to.include({ uri: `${configMaps}/new?resourceVersion=0`, name: 'new', fault: fault.id });
          await fault.remove();
          expect(await names('?resourceVersion=0')).to.deep.equal(['new', 'old']);
        });

        it('have every form that the servers have', async () => {
          const bytesOf = async (path: string, accept: string): Promise<readonly [type: string, body: Buffer]> => {
            const headers = { authorization: `Bearer ${env.adminToken}`, accept };
            const asked = get(`${env.url}${path}`, { ca: env.caCertificate, headers });
            const [response] = (await once(asked, 'response')) as [IncomingMessage];
            expect(response.statusCode).to.equal(200);
            return [response.headers['content-type'] ?? '', await buffer(response)];
          };
          const forms = [
            'application/json',
            'application/yaml',
            'application/vnd.kubernetes.protobuf',
            'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
            'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
            'application/json;as=Table;v=v1;g=meta.k8s.io',
          ];
          const lists = forms.map((form) => form.replace('as=PartialObjectMetadata', 'as=PartialObjectMetadataList'));
          // Ages in tables stand still, and nothing is written besides.
          await env.clock.freeze();
          const path = `${configMaps}/old?resourceVersion=0`;
          const all = `${configMaps}?resourceVersion=0&labelSelector=app%3Dweb`;
          await core.replaceNamespacedConfigMap({
            name: 'old',
            namespace,
            body: { metadata: { name: 'old', labels: { app: 'web' } }, data: { at: 'first' } },
          });
          const before = await Promise.all(forms.map((form) => bytesOf(path.replace('?resourceVersion=0', ''), form)));
          await env.faults.add({ match: { resources: ['configmaps'] }, effect: { kind: 'stale' } });
          await change();
          for (const [index, form] of forms.entries()) {
            const [type, bytes] = await bytesOf(path, form);
            expect(type, form).to.equal(before[index]?.[0]);
            expect(bytes.toString('latin1'), form).to.equal(before[index]?.[1].toString('latin1'));
          }
          const { resourceVersion } = (JSON.parse(before[0]?.[1].toString() ?? '') as Read).metadata;
          for (const form of lists) {
            const [type, bytes] = await bytesOf(all, form);
            expect(type.split(';')[0], form).to.equal(form.split(';')[0]);
            expect(bytes.includes(resourceVersion), form).to.equal(true);
          }
          await env.clock.reset();
        });

        it('begin when a step of a scenario does, by chance too', async () => {
          await using scenario = await env.faults.apply(
            JSON.stringify({
              seed: 7,
              steps: [{ at: '1h', match: { resources: ['configmaps'] }, effect: { kind: 'chaos', among: ['stale'] } }],
            }),
          );
          expect(scenario.seed).to.equal(7);
          await change();
          await env.clock.advance('1h');
          await core.deleteNamespacedConfigMap({ namespace, name: 'old' });
          await until('what was when the step began', async () => {
            const found = await names('?resourceVersion=0');
            return found.join() === 'new,old';
          });
          expect(await names('')).to.deep.equal(['new']);
          await env.clock.reset();
        });
      });

      it('happen by chance, the same chance for the same seed', async () => {
        const round = async (): Promise<string> => {
          const fault = await env.faults.add({
            match: { verbs: ['get'], resources: ['namespaces'] },
            effect: { kind: 'status', code: 503 },
            probability: 0.5,
            seed: 7,
          });
          let marks = '';
          for (let i = 0; i < 20; i++)
            marks += await core.readNamespace({ name: namespace }).then(
              () => '.',
              () => 'x',
            );
          await fault.remove();
          return marks;
        };
        const first = await round();
        expect(first).to.match(/x/).and.to.match(/\./);
        expect(await round()).to.equal(first);
      });

      it('that make no sense are refused in words', async () => {
        await env.faults.add({ match: { verbs: ['get'] }, effect: { kind: 'status', code: 418 as never } }).then(
          () => expect.fail('it was set'),
          (error: Error) =>
            expect(error.message).to.equal('effect.code must be one of 401, 409, 410, 429, 500, 503, 504'),
        );
      });

      it('follow a scenario in a file, by the time of the chain', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'kubechain-scenario-'));
        const file = join(folder, 'scenario.yaml');
        writeFileSync(
          file,
          `# The server goes down, and credentials expire a minute later.
seed: 7
steps:
  - for: 30s
    match: { verbs: [get], resources: [namespaces] }
    effect: { kind: status, code: 503 }
  - at: 1m
    for: 30s
    match: { verbs: [get], resources: [namespaces] }
    effect: { kind: status, code: 401 }
`,
        );
        const met = (): Promise<number> =>
          core.readNamespace({ name: namespace }).then(
            () => 200,
            (error: { readonly code: number }) => error.code,
          );
        await env.clock.freeze();
        try {
          const scenario = await env.faults.apply(file);
          expect(scenario.seed).to.equal(7);
          const codes = [await met()];
          for (const wait of ['30s', '30s', '30s']) {
            await env.clock.advance(wait);
            codes.push(await met());
          }
          expect(codes).to.deep.equal([503, 200, 401, 200]);
          await scenario.remove();
          expect(await env.faults.scenarios()).to.deep.equal([]);
          expect(await env.faults.list()).to.deep.equal([]);
        } finally {
          await env.clock.reset();
          rmSync(folder, { recursive: true });
        }
      });

      it('are chaos that a seed repeats', async () => {
        const round = async (seed?: number): Promise<{ readonly seed: number; readonly met: string }> => {
          const chaos = await env.faults.chaos({
            match: { resources: ['namespaces'] },
            probability: 0.5,
            among: ['status'],
            ...(seed === undefined ? {} : { seed }),
          });
          const met: string[] = [];
          for (let i = 0; i < 20; i++)
            met.push(
              await core.readNamespace({ name: namespace }).then(
                () => '200',
                (error: { readonly code: number }) => String(error.code),
              ),
            );
          await chaos.remove();
          return { seed: chaos.seed, met: met.join(' ') };
        };
        const first = await round();
        expect(first.met)
          .to.match(/200/)
          .and.to.match(/401|429|50[034]/);
        expect((await round(first.seed)).met).to.equal(first.met);
        expect((await round(first.seed + 1)).met).to.not.equal(first.met);
      });

      it('are begun, told and ended by the command, for tests in other languages', async () => {
        const scenario = join(env.dataDir, 'scenario.yaml');
        writeFileSync(scenario, 'steps: [{match: {resources: [namespaces]}, effect: {kind: status, code: 500}}]');
        const fault = async (...args: string[]): Promise<string> =>
          (await run(process.execPath, [bin, 'fault', ...args, '--data-dir', env.dataDir])).stdout;
        const begun = await fault('apply', '-f', scenario, '--seed', '42');
        const [, id = ''] = /^scenario (\d+) begun, seed 42\n$/.exec(begun) ?? expect.fail(begun);
        expect((await refusal(core.readNamespace({ name: namespace }))).code).to.equal(500);
        expect(await fault('list')).to.contain(`scenario ${id}  seed 42`);
        expect(await fault('end', id)).to.equal(`scenario ${id} ended\n`);
        await core.readNamespace({ name: namespace });
        expect(await fault('chaos', '--probability', '0')).to.match(/^scenario \d+ begun, seed \d+\n$/);
      });

      it('in a scenario that makes no sense are refused in words', async () => {
        for (const [text, error] of [
          ['steps:\n- effect: {kind: explode}', 'steps[0]: effect.kind must be'],
          ['steps: [\n', 'the scenario is no YAML'],
          ['nothing.yaml', "'nothing.yaml': no such file"],
        ] as const)
          await env.faults.apply(text).then(
            () => expect.fail('it was begun'),
            (reason: Error) => expect(reason.message).to.contain(error),
          );
      });

      const exists = (name: string): Promise<boolean> =>
        core.readNamespacedConfigMap({ namespace, name }).then(
          () => true,
          () => false,
        );
    });

    describe('the journal', () => {
      it('tells who asked what, and what came of it', async () => {
        const mark = await env.journal.mark();
        await core.createNamespacedConfigMap(named('written'));
        await refusal(core.createNamespacedConfigMap(named('written')));
        const [created, conflicting] = await env.journal.find({ since: mark, resource: 'configmaps', verb: 'create' });
        expect(created).to.deep.include({
          user: 'kubernetes-admin',
          verb: 'create',
          code: 201,
          complete: true,
          namespace,
        });
        expect(conflicting?.code).to.equal(409);
        expect((await env.journal.conflicts({ since: mark })).length).to.equal(1);
      });

      it('tells who allowed or refused a request, and what flow control made of it', async () => {
        const user = await env.addUser('visitor');
        const theirs = new KubeConfig();
        theirs.loadFromOptions(user.kubeConfig);
        const visitor = theirs.makeApiClient(CoreV1Api);
        const mark = await env.journal.mark();
        await refusal(visitor.listNamespacedConfigMap({ namespace }));
        const rbac = config.makeApiClient(RbacAuthorizationV1Api);
        await rbac.createNamespacedRole({
          namespace,
          body: {
            metadata: { name: 'reads' },
            rules: [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list'] }],
          },
        });
        await rbac.createNamespacedRoleBinding({
          namespace,
          body: {
            metadata: { name: 'visitor-reads' },
            roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'reads' },
            subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'visitor' }],
          },
        });
        await until('the visitor may list', () =>
          visitor.listNamespacedConfigMap({ namespace }).then(
            () => true,
            () => false,
          ),
        );
        const entries = await env.journal.find({ since: mark, user: 'visitor' });
        expect(entries.at(0)?.decision?.decision).to.equal('NoOpinion');
        expect(entries.at(-1)?.decision).to.deep.equal({
          decision: 'Allow',
          reason: 'RBAC: allowed by RoleBinding "visitor-reads/default" of Role "reads" to User "visitor"',
        });
        expect(entries.at(-1)).to.include({ flowSchema: 'global-default', priorityLevel: 'global-default' });
        const [line = ''] = (await env.journal.text('jsonl', { since: mark, user: 'visitor' })).split('\n');
        expect(JSON.parse(line)).to.nested.include({ 'decision.decision': 'NoOpinion' });
      });

      it('holds tests to what they expect', async () => {
        const mark = await env.journal.mark();
        await core.listNamespacedConfigMap({ namespace });
        await env.journal.expectNoWrites({ since: mark });
        await core.createNamespacedConfigMap(named('one-more'));
        await env.journal.expectAtMost(1, { since: mark, verb: 'create' });
        const error = await env.journal.expectNoWrites({ since: mark }).then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        expect(error).to.be.instanceOf(JournalExpectationError);
        expect((error as Error).message).to.match(/201 create \/api\/v1\/namespaces\/default\/configmaps by /);
      });

      it('finds hot loops and lists without bounds', async () => {
        const mark = await env.journal.mark();
        for (let i = 0; i < 15; i++) await core.readNamespace({ name: namespace });
        await core.listNamespace();
        await core.listNamespace({ limit: 1 });
        const [loop, ...others] = await env.journal.hotLoops(3, { since: mark });
        expect(others).to.deep.equal([]);
        expect(loop).to.deep.include({ verb: 'get', resource: 'namespaces', name: namespace });
        expect(loop?.requests).to.be.within(3, 15);
        expect(await messageOf(env.journal.expectNoUnboundedLists({ since: mark }))).to.match(
          /^1 lists were of everything at once:\n {2}200 list \/api\/v1\/namespaces by /,
        );
        expect(await messageOf(env.journal.expectNoConflicts({ since: mark }))).to.equal('none');
        expect((await env.journal.unboundedLists({ since: mark })).map(({ uri }) => uri)).to.deep.equal([
          '/api/v1/namespaces',
        ]);
      });

      it('tells which webhooks were called, and what they have made of the object', async () => {
        const rules = [{ resources: ['configmaps', 'secrets'] }];
        await using _changes = await env.webhooks.mutating<V1ConfigMap>(
          { rules, name: 'adds.a.label' },
          ({ object }) => {
            object!.metadata!.labels = { changed: 'yes' };
            return { object: object! };
          },
        );
        await using _refuses = await env.webhooks.validating<V1ConfigMap>(
          { rules, name: 'always.knows.better' },
          ({ object }) => ({ allowed: object?.metadata?.name !== 'bad' }),
        );
        const mark = await env.journal.mark();
        await core.createNamespacedConfigMap(named('good'));
        await refusal(core.createNamespacedConfigMap(named('bad')));
        await core.createNamespacedSecret({ namespace, body: { metadata: { name: 'good' } } });
        const entries = await env.journal.find({ since: mark, verb: 'create', resource: ['configmaps', 'secrets'] });
        const told = entries.map(({ webhooks = [] }) =>
          webhooks.map(({ outcome, patch, type, webhook }) => [webhook, type, outcome, patch !== undefined]),
        );
        const validated = (outcome: string): readonly unknown[] => [
          'always.knows.better',
          'validating',
          outcome,
          false,
        ];
        expect(told).to.deep.equal([
          [['adds.a.label', 'mutating', 'allowed', true], validated('allowed')],
          [['adds.a.label', 'mutating', 'allowed', true], validated('denied')],
          [['adds.a.label', 'mutating', 'allowed', false], validated('allowed')],
        ]);
        expect(JSON.parse(entries[0]?.webhooks?.[0]?.patch ?? '')).to.deep.equal([
          { op: 'add', path: '/metadata/labels', value: { changed: 'yes' } },
        ]);
      });

      it('is told to other tools', async () => {
        const mark = await env.journal.mark();
        await core.createNamespacedConfigMap(named('archived'));
        const filter = { since: mark, verb: 'create', resource: 'configmaps', user: 'kubernetes-admin' };
        const { log } = JSON.parse(await env.journal.text('har', filter)) as { readonly log: { entries: object[] } };
        expect(log.entries).to.have.length(1);
        expect(log.entries[0]).to.nested.include({ 'request.method': 'POST', 'response.status': 201 });
        const [line = ''] = (await env.journal.text('jsonl', filter)).split('\n');
        expect(JSON.parse(line)).to.include({ verb: 'create', method: 'POST', code: 201 });
      });

      it('has bodies where they are asked for, and none of secrets', async () => {
        const find = async (since: number, resource: string): Promise<JournalEntry | undefined> =>
          (await env.journal.find({ since, resource, verb: 'create', bodies: true }))[0];
        const mark = await env.journal.mark();
        await core.createNamespacedConfigMap(named('without-body'));
        expect(await find(mark, 'configmaps')).not.to.have.any.keys('requestBody', 'answerBody');
        await env.journal.recordBodies();
        try {
          const from = await env.journal.mark();
          await core.createNamespacedConfigMap(named('with-body'));
          await core.createNamespacedSecret({
            namespace,
            body: { metadata: { name: 'hidden' }, stringData: { a: 'b' } },
          });
          const { answerBody, requestBody } = (await find(from, 'configmaps')) ?? {};
          expect(requestBody?.contentType).to.equal('application/json');
          expect(JSON.parse(requestBody?.text ?? '')).to.deep.equal(named('with-body').body);
          expect(JSON.parse(answerBody?.text ?? '')).to.nested.include({
            'metadata.name': 'with-body',
            kind: 'ConfigMap',
          });
          expect(Buffer.byteLength(answerBody?.text ?? '')).to.equal(answerBody?.bytes);
          const secret = await find(from, 'secrets');
          expect([secret?.requestBody?.omitted, secret?.answerBody?.omitted]).to.deep.equal(['secret', 'secret']);
          const har = await env.journal.text('har', { since: from, resource: 'configmaps', bodies: true });
          expect(JSON.parse(har)).to.nested.include({
            'log.entries[0].request.postData.text': requestBody?.text,
            'log.entries[0].response.content.text': answerBody?.text,
          });
        } finally {
          await env.journal.recordBodies({ record: false });
        }
      });

      it('has bodies of HTTP/2, as they were before they were compressed, or that they are too long', async () => {
        const connection = connect(env.url, { ca: env.caCertificate });
        const call = async (headers: OutgoingHttpHeaders, body?: string): Promise<void> => {
          const stream = connection.request({
            ':path': '/api/v1/namespaces',
            authorization: `Bearer ${env.adminToken}`,
            ...headers,
          });
          stream.end(body);
          stream.resume();
          await once(stream, 'close');
        };
        const data = { data: { text: 'x'.repeat(200_000) } };
        await env.journal.recordBodies();
        try {
          const mark = await env.journal.mark();
          const path = `/api/v1/namespaces/${namespace}/configmaps`;
          const json = { ':method': 'POST', ':path': path, 'content-type': 'application/json' };
          await call(json, JSON.stringify({ ...data, metadata: { name: 'long' } }));
          await call({ ':path': `${path}/long`, 'accept-encoding': 'gzip' });
          await call(json, JSON.stringify({ metadata: { name: 'longer' }, data: { text: 'x'.repeat(300_000) } }));
          const [long, got, longer] = await env.journal.find({ since: mark, resource: 'configmaps', bodies: true });
          expect(JSON.parse(long?.requestBody?.text ?? '')).to.deep.include(data);
          expect(JSON.parse(got?.answerBody?.text ?? '')).to.deep.include(data);
          expect(got?.answerBody?.bytes).to.be.lessThan(10_000);
          expect(got).not.to.have.property('requestBody');
          expect(longer?.requestBody).to.include({ omitted: 'large' });
        } finally {
          connection.close();
          await env.journal.recordBodies({ record: false });
        }
      });

      it('tells how the writes of two versions of a controller differ', async () => {
        // As a controller does: a status after a job of its own naming, from what it has read.
        const reconcile = async (message: string): Promise<void> => {
          const { metadata } = await core.createNamespacedConfigMap({
            namespace,
            body: { metadata: { generateName: 'job-' }, data: { at: new Date().toISOString() } },
          });
          const read = await core.readNamespacedConfigMap({ namespace, name: metadata?.name ?? '' });
          await core.replaceNamespacedConfigMap({
            namespace,
            name: metadata?.name ?? '',
            body: Object.assign(read, { data: { ...read.data, message } }),
          });
        };
        const runOf = async (message: string): Promise<JournalFilter> => {
          const since = await env.journal.mark();
          await reconcile(message);
          return { since, user: 'kubernetes-admin' };
        };
        const file = join(mkdtempSync(join(tmpdir(), 'kubechain-journal-')), 'traffic.jsonl');
        await env.journal.recordBodies();
        try {
          const recording = await env.journal.text('jsonl', { ...(await runOf('done')), bodies: true });
          await env.journal.expectSameWrites(recording, await runOf('done'));
          const changed = await runOf('failed');
          const difference = 'update configmaps default/job-#1: .data.message is "failed", was "done"';
          expect(await env.journal.differencesFrom(recording, changed)).to.deep.equal([difference]);
          const error: unknown = await env.journal
            .expectSameWrites(recording, changed)
            .catch((thrown: unknown) => thrown);
          expect(error).to.be.instanceOf(JournalExpectationError);
          writeFileSync(file, recording);
          const call = run(process.execPath, [
            bin,
            'journal',
            '--data-dir',
            env.dataDir,
            '--compare',
            file,
            '--user',
            'kubernetes-admin',
            '--since',
            String(changed.since),
          ]).catch((thrown: unknown) => thrown);
          expect(await call).to.deep.include({ code: 1, stdout: `${difference}\n` });
        } finally {
          rmSync(dirname(file), { recursive: true });
          await env.journal.recordBodies({ record: false });
        }
      });

      it('tells what was tried again', async () => {
        const mark = await env.journal.mark();
        await env.faults.add({
          match: { verbs: ['create'], resources: ['configmaps'], names: [''] },
          effect: { kind: 'status', code: 500 },
          count: 1,
        });
        await refusal(core.createNamespacedConfigMap(named('again')));
        await core.createNamespacedConfigMap(named('again'));
        const retries = await env.journal.retries({ since: mark, resource: 'configmaps' });
        expect(retries.map(({ after, entry }) => [after.code, entry.code])).to.deep.equal([[500, 201]]);
      });

      it('is replayed against another environment, which tells what is answered otherwise', async () => {
        await env.journal.recordBodies();
        const mark = await env.journal.mark();
        const made = await core.createNamespacedConfigMap({
          namespace,
          body: { metadata: { generateName: 'made-' }, data: { a: '1' } },
        });
        const name = made.metadata?.name ?? '';
        const changed = { metadata: made.metadata ?? {}, data: { a: '2' } };
        await core.replaceNamespacedConfigMap({ namespace, name, body: changed });
        await refusal(core.replaceNamespacedConfigMap({ namespace, name, body: changed }));
        await core.readNamespacedConfigMap({ namespace, name });
        await core.createNamespacedSecret({ namespace, body: { metadata: { name: 'hidden' } } });
        await core.deleteNamespacedConfigMap({ namespace, name });
        const filter = { since: mark, user: 'kubernetes-admin', bodies: true };
        const file = join(env.dataDir, 'traffic.jsonl');
        writeFileSync(file, await env.journal.text('jsonl', { ...filter, resource: ['configmaps', 'secrets'] }));
        await env.journal.recordBodies({ record: false });
        await using other = await startTestEnvironment({ topology });
        const same = await other.replay(file);
        expect(same.differences).to.deep.equal([]);
        expect(same.sent).to.equal(5);
        expect(same.skipped.map(({ entry, why }) => [entry.resource, why])).to.deep.equal([
          ['secrets', 'has no body in the recording: secret'],
        ]);
        const { stdout } = await run(process.execPath, [bin, 'journal', '--replay', file, '--data-dir', other.dataDir]);
        expect(stdout).to.contain('5 requests sent, 0 answered otherwise, 1 not sent\n');
        // What would be answered otherwise is told, with the place.
        const edited = readFileSync(file, 'utf8')
          .split('\n')
          .map((line) =>
            line.includes('"verb":"get"') ? line.replace(String.raw`\"a\":\"2\"`, String.raw`\"a\":\"3\"`) : line,
          )
          .join('\n');
        const [difference, ...more] = (await other.replay(edited)).differences;
        expect(more).to.deep.equal([]);
        expect(difference?.entry.verb).to.equal('get');
        expect(difference?.differences).to.deep.equal([{ path: 'data.a', recorded: '3', replayed: '2' }]);
      });

      it('waits for what is to come', async () => {
        const mark = await env.journal.mark();
        const waiting = env.journal.waitFor({ since: mark, verb: 'delete' }, 10_000);
        await core.createNamespacedConfigMap(named('goes'));
        await core.deleteNamespacedConfigMap({ namespace, name: 'goes' });
        expect(await waiting).to.deep.include({ verb: 'delete', name: 'goes' });
      });

      it('names the fault that a request has met', async () => {
        const mark = await env.journal.mark();
        const { id } = await env.faults.add({
          match: { verbs: ['get'] },
          effect: { kind: 'status', code: 500 },
          count: 1,
        });
        await refusal(core.readNamespace({ name: namespace }));
        // The servers ask now and then, too.
        const met = (await env.journal.since(mark)).filter(({ fault }) => fault !== undefined);
        expect(met.map(({ fault, verb }) => [fault, verb])).to.deep.equal([[id, 'get']]);
      });
    });
  });

type Frame = NonNullable<ReturnType<typeof decodeWatchFrame>>['frame'];

function framesOf(bytes: Buffer): Frame[] {
  const frames: Frame[] = [];
  for (let rest = bytes, read = decodeWatchFrame(rest); read !== undefined; read = decodeWatchFrame(rest)) {
    frames.push(read.frame);
    rest = rest.subarray(read.next);
  }
  return frames;
}

/** A watch of config maps by hand: its status, and what came until its end. */
function watchBytes(
  kubeconfig: string,
  resourceVersion: string,
  accept: string,
): { readonly opened: Promise<number>; readonly all: Promise<Buffer> } {
  const config = new KubeConfig();
  config.loadFromString(kubeconfig);
  const opened = Promise.withResolvers<number>();
  const all = Promise.withResolvers<Buffer>();
  void (async () => {
    const { get } = await import('node:https');
    const options: Record<string, unknown> = {};
    await config.applyToHTTPSOptions(options);
    Object.assign(options, { headers: { ...(options['headers'] as object | undefined), accept } });
    get(
      `${config.getCurrentCluster()?.server ?? ''}/api/v1/namespaces/${namespace}/configmaps?watch=1&` +
        `resourceVersion=${resourceVersion}`,
      options,
      (response) => {
        const chunks: Buffer[] = [];
        opened.resolve(response.statusCode ?? 0);
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.once('end', () => {
          all.resolve(Buffer.concat(chunks));
        });
      },
    ).on('error', (error) => {
      opened.reject(error);
      all.reject(error);
    });
  })().catch((error: unknown) => {
    opened.reject(error);
    all.reject(error);
  });
  return { opened: opened.promise, all: all.promise };
}
