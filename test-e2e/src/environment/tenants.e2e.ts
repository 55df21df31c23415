import {
  ApiextensionsV1Api,
  CoreV1Api,
  FlowcontrolApiserverV1Api,
  KubeConfig,
  RbacAuthorizationV1Api,
  Watch,
} from '@kubernetes/client-node';
import { expect } from 'chai';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { startTestEnvironment, type KubeConfigData, type TestEnvironment, type TestTenant } from 'kubechain/testing';

const namespace = 'default';
const body = (name: string): { metadata: { name: string } } => ({ metadata: { name } });
const boats = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: boats.sea.example.com }
spec:
  group: sea.example.com
  scope: Namespaced
  names: { plural: boats, kind: Boat }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`;

function configOf(data: KubeConfigData): KubeConfig {
  const config = new KubeConfig();
  config.loadFromOptions(data);
  return config;
}
const coreOf = ({ kubeConfig }: { readonly kubeConfig: KubeConfigData }): CoreV1Api =>
  configOf(kubeConfig).makeApiClient(CoreV1Api);

async function codeOf(call: Promise<unknown>): Promise<number> {
  try {
    await call;
    return 200;
  } catch (error) {
    return (error as { readonly code?: number }).code ?? 0;
  }
}

for (const topology of ['all-in-one', 'processes'] as const)
  describe(`tenants of a test environment: ${topology}`, function () {
    this.timeout(240_000);
    let env: TestEnvironment;
    let a: TestTenant;
    let b: TestTenant;
    const document = async (
      { token, url }: { readonly token: string; readonly url: string },
      path: string,
    ): Promise<string> => {
      const headers = { authorization: `Bearer ${token}` };
      const asked = get(`${url}${path}`, { ca: env.caCertificate, headers });
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      return `${response.statusCode} ${await text(response)}`;
    };

    before(async () => {
      env = await startTestEnvironment({ control: true, topology });
      a = await env.tenant('a');
      b = await env.tenant('b');
    });
    after(() => env.stop());

    it('hold their own objects, at their own resourceVersions', async () => {
      const made = await coreOf(a).createNamespacedConfigMap({ namespace, body: body('mine') });
      const same = await coreOf(b).createNamespacedConfigMap({ namespace, body: body('mine') });
      expect(made.metadata?.resourceVersion).to.not.equal(undefined);
      expect(same.metadata?.resourceVersion).to.not.equal(undefined);
      await coreOf(b).deleteNamespacedConfigMap({ namespace, name: 'mine' });
      expect(await codeOf(coreOf(a).readNamespacedConfigMap({ namespace, name: 'mine' }))).to.equal(200);
      expect(await codeOf(coreOf(b).readNamespacedConfigMap({ namespace, name: 'mine' }))).to.equal(404);
      expect(await codeOf(coreOf(env).readNamespacedConfigMap({ namespace, name: 'mine' }))).to.equal(404);
      const { items } = await coreOf(a).listNamespace();
      expect(items.map(({ metadata }) => metadata?.name)).to.include.members(['default', 'kube-system']);
    });

    it('serve what the chain serves, and begin with what it began with', async () => {
      const ofChain = { url: env.url, token: env.adminToken ?? '' };
      for (const path of ['/readyz', '/api/v1', '/apis', '/apis/apps/v1', '/openapi/v2', '/openapi/v3/apis/apps/v1'])
        expect(await document(a, path), path).to.equal(await document(ofChain, path));
      const names = async (of: Pick<TestTenant, 'kubeConfig'>): Promise<unknown> => {
        const rights = configOf(of.kubeConfig).makeApiClient(RbacAuthorizationV1Api);
        const flow = configOf(of.kubeConfig).makeApiClient(FlowcontrolApiserverV1Api);
        const lists = await Promise.all([
          coreOf(of).listNamespace(),
          rights.listClusterRole(),
          rights.listClusterRoleBinding(),
          flow.listFlowSchema(),
        ]);
        return lists.map(({ items }) => new Set(items.map(({ metadata }) => metadata?.name)));
      };
      expect(await names(a)).to.deep.equal(await names(env));
    });

    it('give services addresses, and go back to where they began', async () => {
      const spec = { ports: [{ port: 80 }] };
      const made = await coreOf(a).createNamespacedService({ namespace, body: { ...body('web'), spec } });
      expect(made.spec?.clusterIP).to.match(/^10\./);
      await coreOf(a).deleteNamespacedConfigMap({
        namespace: 'kube-system',
        name: 'kube-apiserver-legacy-service-account-token-tracking',
      });
      await a.snapshots.reset();
      expect(await codeOf(coreOf(a).readNamespacedService({ namespace, name: 'web' }))).to.equal(404);
      const kept = { namespace: 'kube-system', name: 'kube-apiserver-legacy-service-account-token-tracking' };
      expect(await codeOf(coreOf(a).readNamespacedConfigMap(kept))).to.equal(200);
    });

    it('hold their own definitions', async () => {
      await a.install(boats);
      await a.install('{ apiVersion: sea.example.com/v1, kind: Boat, metadata: { name: ann, namespace: default } }');
      const definitions = async ({ kubeConfig }: TestTenant): Promise<number> =>
        (await configOf(kubeConfig).makeApiClient(ApiextensionsV1Api).listCustomResourceDefinition()).items.length;
      expect([await definitions(a), await definitions(b)]).to.deep.equal([1, 0]);
    });

    it('know nobody of each other: neither administrators nor service accounts', async () => {
      const robot = await a.addUser('system:serviceaccount:default:robot');
      const at = (url: string, token: string): CoreV1Api => {
        const [cluster] = a.kubeConfig.clusters;
        return coreOf({
          kubeConfig: { ...a.kubeConfig, clusters: [{ ...cluster!, server: url }], users: [{ name: 'admin', token }] },
        });
      };
      const { token } = robot.credentials as { readonly token: string };
      const codes = (tokenOf: string): Promise<number[]> =>
        Promise.all([a.url, b.url, env.url].map((url) => codeOf(at(url, tokenOf).listNamespace())));
      expect(await codes(a.token)).to.deep.equal([200, 401, 401]);
      expect(await codes(b.token)).to.deep.equal([401, 200, 401]);
      expect(await codes(token)).to.deep.equal([403, 401, 401]);
      expect(await codes(env.adminToken ?? '')).to.deep.equal([401, 401, 200]);
      const [cluster] = env.kubeConfig.clusters;
      const byCertificate = { ...env.kubeConfig, clusters: [{ ...cluster!, server: a.url }] };
      expect(await codeOf(coreOf({ kubeConfig: byCertificate }).listNamespace())).to.equal(403);
    });

    it('tell their watchers what happens in them alone', async () => {
      const seen: string[] = [];
      const { promise, resolve } = Promise.withResolvers<void>();
      const watch = await new Watch(configOf(b.kubeConfig)).watch(
        `/api/v1/namespaces/${namespace}/secrets`,
        {},
        (phase: string, object: { readonly metadata: { readonly name: string } }) => {
          seen.push(`${phase} ${object.metadata.name}`);
          resolve();
        },
        () => undefined,
      );
      await coreOf(a).createNamespacedSecret({ namespace, body: body('of-a') });
      await coreOf(b).createNamespacedSecret({ namespace, body: body('of-b') });
      await promise;
      watch.abort();
      expect(seen).to.deep.equal(['ADDED of-b']);
    });

    it('have snapshots, faults and a journal of their own', async () => {
      await a.snapshots.save('before');
      const mark = await a.journal.mark();
      await coreOf(a).createNamespacedConfigMap({ namespace, body: body('after') });
      await coreOf(b).createNamespacedConfigMap({ namespace, body: body('kept') });
      const entries = await a.journal.since(mark);
      expect(entries.map(({ uri, verb }) => `${verb} ${uri}`)).to.deep.equal([
        `create /api/v1/namespaces/${namespace}/configmaps`,
      ]);
      await a.snapshots.restore('before');
      expect(await codeOf(coreOf(a).readNamespacedConfigMap({ namespace, name: 'after' }))).to.equal(404);
      expect(await codeOf(coreOf(b).readNamespacedConfigMap({ namespace, name: 'kept' }))).to.equal(200);
      await using fault = await a.faults.add({ match: { resources: ['pods'] }, effect: { kind: 'status', code: 503 } });
      expect(await codeOf(coreOf(a).listNamespacedPod({ namespace }))).to.equal(503);
      expect(await codeOf(coreOf(b).listNamespacedPod({ namespace }))).to.equal(200);
      expect(await fault.happened()).to.equal(1);
    });

    it('end with what they hold, and another of the name begins anew', async () => {
      const c = await env.tenant('c');
      await coreOf(c).createNamespacedConfigMap({ namespace, body: body('gone') });
      await c[Symbol.asyncDispose]();
      await c.stop();
      expect(existsSync(c.kubeconfig)).to.equal(false);
      expect(await codeOf(coreOf(c).listNamespace())).to.equal(401);
      await using again = await env.tenant('c');
      expect(await codeOf(coreOf(c).listNamespace())).to.equal(401);
      expect(await codeOf(coreOf(again).readNamespacedConfigMap({ namespace, name: 'gone' }))).to.equal(404);
    });

    it('are made, listed and ended from the command line', async () => {
      const run = async (...args: string[]): Promise<string> => {
        const bin = new URL('../../../packages/kubechain/bin/kubechain.js', import.meta.url).pathname;
        return (await promisify(execFile)(process.execPath, [bin, 'tenant', ...args, '--data-dir', env.dataDir]))
          .stdout;
      };
      const created = await run('create', 'by-hand');
      const [, kubeconfig = ''] = /^export KUBECONFIG=(.*)$/m.exec(created) ?? [];
      expect(dirname(kubeconfig)).to.include('by-hand');
      const byHand = new KubeConfig();
      byHand.loadFromFile(kubeconfig);
      expect(await codeOf(byHand.makeApiClient(CoreV1Api).listNamespace())).to.equal(200);
      expect(await run('list')).to.equal(
        ['a', 'b', 'by-hand'].map((name) => `${name}  ${env.url}/tenants/${name}\n`).join(''),
      );
      expect(await run('delete', 'by-hand')).to.equal('by-hand deleted\n');
    });

    for (const [name, error] of [
      ['a', 'there is a tenant "a" already'],
      ['A/b', 'name must be letters of a to z, digits and hyphens, not "A/b"'],
    ] as const)
      it(`are refused when they are called ${name}`, async () => {
        const refused = await env.tenant(name).catch((reason: unknown) => (reason as Error).message);
        expect(refused).to.equal(error);
      });

    it('go by the clock of the chain', async () => {
      await env.clock.advance('1000h');
      const made = await coreOf(b).createNamespacedConfigMap({ namespace, body: body('later') });
      expect(Number(made.metadata?.creationTimestamp)).to.be.greaterThan(Date.now() + 999 * 3_600_000);
      await env.clock.reset();
    });

    if (topology === 'processes')
      it('are lost with their process, which begins again', async () => {
        process.kill(Number(readFileSync(join(env.dataDir, 'run', 'tenants.pid'), 'utf8')), 'SIGKILL');
        let again: TestTenant | undefined;
        while (again === undefined) {
          again = await env.tenant('b').catch(() => undefined);
          await delay(50);
        }
        expect(await codeOf(coreOf(b).listNamespace())).to.equal(401);
        expect(await codeOf(coreOf(again).listNamespace())).to.equal(200);
        expect(await codeOf(coreOf(env).listNamespace())).to.equal(200);
      });
  });
