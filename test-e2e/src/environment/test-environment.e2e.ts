import { expect } from 'chai';
import { CoreV1Api, CustomObjectsApi, KubeConfig } from '@kubernetes/client-node';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { selfSignedCertificate } from '@kubechain/apiserver/certificates';
import { startTestEnvironment, type KubeConfigData } from 'kubechain/testing';

const widgets = `
apiVersion: example.com/v1
kind: Widget
metadata: { name: early }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: widgets.example.com }
spec:
  group: example.com
  scope: Namespaced
  names: { plural: widgets, kind: Widget }
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

const refused = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => {
      socket.destroy();
      resolve(false);
    });
    socket.once('error', () => {
      resolve(true);
    });
  });

describe('kubechain/testing', function () {
  this.timeout(120_000);

  it('is known to its users, and to those of tenants, beside a certificate of the test', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'kubechain-own-'));
    try {
      const { certFile, keyFile } = await selfSignedCertificate({ directory, address: '192.0.2.1' });
      const flags = [`--tls-cert-file=${certFile}`, `--tls-private-key-file=${keyFile}`];
      await using env = await startTestEnvironment({ control: true, flags, crds: [widgets] });
      await using tenant = await env.tenant('a');
      await tenant.install('{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}');
      const user = await env.addUser('somebody', ['system:masters']);
      for (const data of [env.kubeConfig, user.kubeConfig, tenant.kubeConfig]) {
        const [cluster] = data.clusters;
        expect(cluster).to.have.property('tlsServerName', 'kubernetes.default.svc');
        const config = configOf(data);
        const { items } = await config.makeApiClient(CoreV1Api).listNamespace();
        expect(items).to.have.length.above(3);
      }
      for (const text of [env.kubeconfigText, user.kubeconfigText, tenant.kubeconfigText])
        expect(text).to.match(/tls-server-name"?: "?kubernetes\.default\.svc/);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  for (const topology of ['all-in-one', 'processes'] as const) {
    it(`is an API server for a test, all of it: ${topology}`, async () => {
      const folder = mkdtempSync(join(tmpdir(), 'kubechain-crds-'));
      writeFileSync(join(folder, 'widgets.yaml'), widgets);
      let dataDir: string;
      let url: string;
      try {
        await using env = await startTestEnvironment({ topology, crds: [folder] });
        ({ dataDir, url } = env);
        expect(readFileSync(env.kubeconfig, 'utf8')).to.equal(env.kubeconfigText).and.to.contain(url);
        const admin = configOf(env.kubeConfig);
        const found = (await admin.makeApiClient(CustomObjectsApi).getNamespacedCustomObject({
          group: 'example.com',
          version: 'v1',
          namespace: 'default',
          plural: 'widgets',
          name: 'early',
        })) as { readonly kind: string };
        expect(found.kind).to.equal('Widget');

        const core = admin.makeApiClient(CoreV1Api);
        // Nobody makes service accounts here: pods must not need them.
        const spec = { containers: [{ name: 'a', image: 'a' }] };
        await core.createNamespacedPod({ namespace: 'default', body: { metadata: { name: 'a' }, spec } });

        const jane = await env.addUser('jane', ['readers', 'writers']);
        const list = (data: KubeConfigData) =>
          configOf(data).makeApiClient(CoreV1Api).listNamespacedPod({ namespace: 'default' });
        const denied = await list(jane.kubeConfig).then(
          () => 'allowed',
          (error: Error) => error.message,
        );
        expect(denied).to.match(/jane.*cannot list resource/);
        const robot = await env.addUser('system:serviceaccount:robots:r2');
        await env.install(`
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: { name: view }
roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: view }
subjects:
  - { kind: Group, apiGroup: rbac.authorization.k8s.io, name: writers }
  - { kind: ServiceAccount, namespace: robots, name: r2 }
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: { name: view }
rules: [{ apiGroups: [''], resources: [pods], verbs: [list] }]
`);
        for (const { kubeConfig } of [jane, robot]) {
          const deadline = performance.now() + 60_000;
          for (;;) {
            try {
              expect((await list(kubeConfig)).items).to.have.lengthOf(1);
              break;
            } catch (error) {
              if (performance.now() > deadline) throw error;
            }
          }
        }
        const wrong = await env.install('{apiVersion: v1, kind: Nope, metadata: {name: x}}').then(
          () => 'installed',
          (error: Error) => error.message,
        );
        expect(wrong).to.equal("v1 Nope 'x': the server has no such kind");
      } finally {
        rmSync(folder, { recursive: true });
      }
      expect(existsSync(dataDir)).to.equal(false);
      expect(await refused(url)).to.equal(true);
    });
  }

  it('starts four side by side and ten one after the other, each with data of its own', async () => {
    const four = await Promise.all(Array.from({ length: 4 }, () => startTestEnvironment()));
    expect(new Set(four.map(({ url }) => url)).size).to.equal(4);
    const namespace = (name: string): string => `{apiVersion: v1, kind: Namespace, metadata: {name: ${name}}}`;
    await Promise.all(four.map((env, index) => env.install(namespace(`only-${index}`))));
    for (const [index, env] of four.entries()) {
      const { items } = await configOf(env.kubeConfig).makeApiClient(CoreV1Api).listNamespace();
      expect(items.map(({ metadata }) => metadata?.name).filter((name) => name?.startsWith('only-'))).to.deep.equal([
        `only-${index}`,
      ]);
    }
    await Promise.all(four.map((env) => env.stop()));
    for (let count = 0; count < 10; count++) {
      const env = await startTestEnvironment();
      await env.stop();
      four.push(env);
    }
    for (const { dataDir, url } of four) {
      expect(existsSync(dataDir)).to.equal(false);
      expect(await refused(url)).to.equal(true);
    }
  });

  it('says in one line why it cannot start, and leaves nothing', async () => {
    const told = await startTestEnvironment({ flags: ['--nope'] }).then(
      () => 'started',
      (error: Error) => error.message,
    );
    expect(told).to.equal('unknown flag: --nope');
  });
});
