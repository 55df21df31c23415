import { expect } from 'chai';
import { X509Certificate } from 'node:crypto';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { connect } from 'node:tls';
import { parse, parseAllDocuments } from 'yaml';
import { shareOf } from '../ci/share.ts';
import { startChain, type Chain } from '../harness/chain.ts';
import { buildImage, type BuiltImage } from '../harness/dockerfile.ts';
import { goTool, kubectlVersion } from '../harness/go-tools.ts';
import { Client } from '../harness/client.ts';
import { ImageProcess } from '../harness/image-process.ts';
import { LocalCluster } from '../harness/pods/local-cluster.ts';
import type {
  Manifest,
  PodManifest,
  SecretManifest,
  ServiceManifest,
  WorkloadManifest,
} from '../harness/pods/manifests.ts';
import { execute, run, type Result } from '../harness/run.ts';
import { comesToRest } from '../image-life/rest.ts';
import { Work } from '../image-life/work.ts';
import { Kubectl, type KubectlList } from '../kubectl/kubectl.ts';

const root = join(import.meta.dirname, '../../..');
const chart = join(root, 'helm/kubechain');
const values = (name: string): string => join(import.meta.dirname, `../../manifests/chart-values/${name}.yaml`);
const namespace = 'planes';
const release = 'one';
const name = 'one-kubechain';
const everySecret = [
  'admin',
  'aggregator-client',
  'aggregator-tls',
  'apiextensions-tls',
  'ca',
  'etcd-ca',
  'etcd-client',
  'etcd-tls',
  'front-proxy-ca',
  'kube-apiserver-client',
  'kube-apiserver-tls',
  'service-account',
].map((suffix) => `${name}-${suffix}`);
const authorities = ['ca', 'etcd-ca', 'front-proxy-ca'].map((suffix) => `${name}-${suffix}`);

const crd = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'wings.planes.example.com' },
  spec: {
    group: 'planes.example.com',
    scope: 'Namespaced',
    names: { plural: 'wings', kind: 'Wing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { span: { type: 'integer', maximum: 80 } } } },
          },
        },
      },
    ],
  },
};

/** A chain that plays the cluster into which the chart is installed, and a release of helm. */
class Host {
  readonly kubectl: Kubectl;
  readonly #helm: string;
  readonly #chain: Chain;
  readonly #folder = mkdtempSync(join(tmpdir(), 'kubechain-helm-'));

  constructor(helm: string, kubectl: string, chain: Chain) {
    this.#helm = helm;
    this.#chain = chain;
    this.kubectl = new Kubectl(kubectl, chain.kubeconfig);
  }

  static async start(tool: 'helm3' | 'helm4'): Promise<Host> {
    const [helm, kubectl] = [await goTool(tool), await goTool('kubectl')];
    const host = new Host(helm, kubectl, await startChain());
    await host.kubectl.ok(
      ['create', '-f', '-'],
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name: namespace, labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
      }),
    );
    // As kube-controller-manager would.
    await host.kubectl.ok(`create serviceaccount default -n ${namespace}`);
    return host;
  }

  helm(...args: string[]): Promise<Result> {
    return execute(this.#helm, [...args, '--namespace', namespace, '--kubeconfig', this.#chain.kubeconfig], {
      env: { HELM_CACHE_HOME: this.#folder, HELM_CONFIG_HOME: this.#folder, HELM_DATA_HOME: this.#folder },
    });
  }

  async helmOK(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.helm(...args);
    expect(code, `helm ${args.join(' ')}\n${stdout}${stderr}`).to.equal(0);
    return stdout;
  }

  async objects(kinds: string): Promise<readonly Manifest[]> {
    return (
      await this.kubectl.json<KubectlList>(`get ${kinds} -n ${namespace} -l app.kubernetes.io/instance=${release}`)
    ).items as unknown as Manifest[];
  }

  async secrets(): Promise<Map<string, Readonly<Record<string, string>>>> {
    return new Map(
      (await this.objects('secrets')).map((secret) => [secret.metadata.name, (secret as SecretManifest).data!]),
    );
  }

  async stop(): Promise<void> {
    this.kubectl.close();
    await this.#chain.stop();
    rmSync(this.#folder, { recursive: true });
  }
}

const certificate = (data: Readonly<Record<string, string>> | undefined): X509Certificate =>
  new X509Certificate(Buffer.from(data!['tls.crt']!, 'base64'));

const helms = [
  { title: 'helm 3', tool: 'helm3' },
  { title: 'helm 4', tool: 'helm4' },
] as const;

for (const { title, tool } of helms) {
  describe(`the chart, by ${title}`, () => {
    let helm: (...args: string[]) => Promise<Result>;
    before(async function () {
      // Helm has to be built.
      this.timeout(900_000);
      const path = await goTool(tool);
      helm = (...args) => execute(path, args);
    });
    const template = async (...args: string[]): Promise<Manifest[]> => {
      const { code, stdout, stderr } = await helm(
        'template',
        release,
        chart,
        '--namespace',
        namespace,
        '--kube-version',
        kubectlVersion,
        ...args,
      );
      expect(code, stderr).to.equal(0);
      return parseAllDocuments(stdout)
        .map((document) => {
          expect(document.errors).to.deep.equal([]);
          return document.toJS() as Manifest | null;
        })
        .filter((object) => object !== null);
    };
    const argsOf = (objects: readonly Manifest[], workload: string): readonly string[] =>
      (objects.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === workload) as WorkloadManifest)
        .spec.template.spec.containers[0]!.args;

    it('is well formed', async () => {
      for (const args of [
        [],
        ['-f', values('containers')],
        ['-f', values('external-etcd')],
        ['-f', values('own-certificates')],
        ['-f', values('everything')],
      ]) {
        const { stdout } = await helm('lint', '--strict', chart, ...args);
        expect(stdout, args.join(' ')).to.include('0 chart(s) failed');
      }
    });
    it('makes a process of each server, with certificates of its own', async () => {
      const objects = await template();
      expect(
        objects
          .filter(({ kind }) => kind === 'Secret')
          .map(({ metadata }) => metadata.name)
          .sort(),
      ).to.deep.equal(everySecret);
      expect(objects.filter(({ kind }) => kind === 'Deployment').map(({ metadata }) => metadata.name)).to.have.members([
        `${name}-aggregator`,
        `${name}-kube-apiserver`,
        `${name}-apiextensions`,
      ]);
      expect(argsOf(objects, `${name}-aggregator`)).to.include.members([
        `--delegate=https://${name}-kube-apiserver.${namespace}.svc:7444`,
        '--secure-port=6443',
        '--requestheader-allowed-names=front-proxy-client',
      ]);
      expect(argsOf(objects, `${name}-apiextensions`)).to.include.members([
        '--delegate-listen=https://0.0.0.0:7445',
        '--requestheader-allowed-names=front-proxy-kube-apiserver',
      ]);
    });
    it('makes one pod of all servers', async () => {
      const objects = await template('-f', values('containers'));
      const deployments = objects.filter(({ kind }) => kind === 'Deployment') as WorkloadManifest[];
      expect(deployments).to.have.length(1);
      expect(
        deployments[0]!.spec.template.spec.containers.map(({ name: container, args }) => [
          container,
          args.find((argument) => argument.startsWith('--delegate=')),
        ]),
      ).to.deep.equal([
        ['aggregator', '--delegate=unix:/run/kubechain/kube-apiserver.sock'],
        ['kube-apiserver', '--delegate=unix:/run/kubechain/apiextensions.sock'],
        ['apiextensions', undefined],
      ]);
      expect(objects.some(({ kind }) => kind === 'PodDisruptionBudget')).to.equal(true);
    });
    it('uses an etcd that is there, and Secrets that are there', async () => {
      const external = await template('-f', values('external-etcd'));
      expect(external.some(({ kind, metadata }) => kind === 'StatefulSet' || metadata.name.includes('etcd'))).to.equal(
        false,
      );
      expect(argsOf(external, `${name}-kube-apiserver`)).to.include.members([
        '--etcd-servers=https://etcd-0.etcd:2379,https://etcd-1.etcd:2379',
        '--etcd-prefix=/kubechain',
      ]);
      const own = await template('-f', values('own-certificates'));
      expect(own.filter(({ kind }) => kind === 'Secret')).to.deep.equal([]);
      expect(JSON.stringify(own))
        .to.include('"my-serving"')
        .and.to.include('"my-data"')
        .and.to.include(`"${name}-etcd-client"`);
    });
    it('runs controllers where they are asked for, as kube-controller-manager', async () => {
      const off = await template();
      expect(off.some(({ metadata }) => metadata.name.includes('controllers'))).to.equal(false);
      const objects = await template('--set', 'controllers.enabled=true');
      expect(argsOf(objects, `${name}-controllers`)).to.include.members([
        '/kubechain/dist/controllers.mjs',
        '--controllers=lifecycle',
        '--use-service-account-credentials=true',
        '--kubeconfig=/etc/kubechain/pki/kubeconfig',
      ]);
      const secretOf = (suffix: string): SecretManifest =>
        objects.find(({ kind, metadata }) => kind === 'Secret' && metadata.name === `${name}-${suffix}`)!;
      const client = certificate(secretOf('controllers-client').data);
      expect(client.subject).to.equal('CN=system:kube-controller-manager');
      expect(client.verify(certificate(secretOf('ca').data).publicKey)).to.equal(true);
      // The authority's key goes to who signs with it alone.
      const withKey = (given: readonly Manifest[]): readonly string[] =>
        given
          .filter((object) => JSON.stringify(object).includes('"path":"ca.key"'))
          .map(({ metadata }) => metadata.name);
      expect(withKey(objects)).to.deep.equal([]);
      const everything = await template('-f', values('everything'));
      expect(withKey(everything)).to.deep.equal(['plane-controllers']);
      expect(argsOf(everything, 'plane-controllers')).to.include.members([
        '--controllers=*,-job-controller',
        '--secure-port=10258',
        '--namespace-sync-period=1m',
        '--cluster-signing-key-file=/etc/kubechain/pki/ca.key',
      ]);
      expect(
        everything.some(
          ({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === 'plane-controllers',
        ),
      ).to.equal(true);
    });
    it('passes flags on as they are meant', async () => {
      const objects = await template('-f', values('everything'));
      const aggregator = argsOf(objects, 'plane-aggregator');
      expect(aggregator.slice(0, 3)).to.deep.equal([
        '--max-old-space-size=512',
        '--inspect=127.0.0.1:9333',
        '/kubechain/packages/aggregator/src/main.ts',
      ]);
      expect(aggregator).to.include.members([
        '--max-requests-inflight=1000000',
        '--service-account-issuer=https://new.example.com',
        '--service-account-issuer=https://old.example.com',
        '--enable-aggregator-routing=true',
      ]);
      expect(argsOf(objects, 'plane-kube-apiserver')).to.include.members([
        '--v=4',
        '--advertise-address=192.0.2.1',
        '--delegate-listen=https://[::]:7444',
      ]);
      const serving = certificate(
        (objects.find(({ metadata }) => metadata.name === 'plane-aggregator-tls') as SecretManifest).data,
      );
      expect(serving.subjectAltName)
        .to.include('DNS:plane.example.com')
        .and.to.include('IP Address:192.0.2.1')
        .and.to.include('IP Address:10.96.0.1');
    });
    it('offers rules, dashboards, and the name of the job, where that is asked for', async () => {
      const kinds = (given: readonly Manifest[]): readonly string[] =>
        given.map(({ kind }) => kind).filter((kind) => ['PrometheusRule', 'ServiceMonitor'].includes(kind));
      const plain = await template();
      expect(kinds(plain)).to.deep.equal([]);
      expect(JSON.stringify(plain)).not.to.contain('grafana_dashboard');
      const objects = await template('-f', values('everything'));
      expect(kinds(objects)).to.have.members(['PrometheusRule', 'ServiceMonitor']);
      const { spec } = objects.find(({ kind }) => kind === 'PrometheusRule') as Manifest & { readonly spec: unknown };
      expect(spec).to.deep.equal(parse(readFileSync(join(chart, 'files/rules.yaml'), 'utf8')));
      const { data, metadata } = objects.find(
        (object) => object.metadata.name === 'plane-dashboard-kubechain',
      ) as Manifest & { readonly data: Readonly<Record<string, string>> };
      expect(metadata).to.deep.include({ annotations: { folder: 'planes' } });
      expect(data['kubechain.json']).to.equal(readFileSync(join(chart, 'files/dashboards/kubechain.json'), 'utf8'));
      expect(JSON.stringify(objects.find(({ kind }) => kind === 'ServiceMonitor'))).to.contain(
        '"targetLabel":"job","replacement":"apiserver"',
      );
    });
    for (const [topology, former, component] of [
      ['pods', 'containers', 'aggregator'],
      ['containers', 'pods', 'chain'],
    ]) {
      it(`has servers serve on for longer than those in front of them: ${topology}`, async () => {
        const text = JSON.stringify(await template('--set', `topology=${topology},shutdownDelay=1m5s`));
        const delays = [...text.matchAll(/--secure-port=(\d+)","--service[^\]]*?--shutdown-delay-duration=(\w+)/g)];
        expect(Object.fromEntries(delays.map(([, port, duration]) => [port, duration]))).to.deep.equal({
          6443: '1m5s',
          6444: '130s',
          6445: '195s',
        });
      });
      it(`sends clients to ${topology} before the other topology goes`, async () => {
        const selected = async (...args: readonly string[]): Promise<unknown> => {
          const objects = await template('--set', `topology=${topology}`, ...args);
          const service = objects.find(({ kind, metadata }) => kind === 'Service' && metadata.name === name);
          return (service as unknown as { spec: { selector: Record<string, string> } }).spec.selector;
        };
        const both = await selected('--set', `formerTopology=${former}`);
        expect(both).to.include({ 'kubechain/front': 'true' }).and.not.to.have.property('app.kubernetes.io/component');
        expect(await selected()).to.deep.equal({ ...(both as object), 'app.kubernetes.io/component': component });
      });
    }
    for (const [wrong, reason] of [
      ['topology=pod', /topology/],
      ['formerTopology=both', /formerTopology/],
      ['kubeApiserver.replica=2', /replica/],
      ['service.port=0', /port/],
      ['store.kind=external', /endpoints/],
      ['shutdownDelay=5', /shutdownDelay/],
      ['extraArgs.--v=4', /--v/],
      ['store.embedded.persistence.accessModes={Many}', /accessModes/],
      ['certificates.secretNames.other=x', /other/],
      ['aggregator.inspect.port=high', /inspect/],
      ['controllers.list={Nonsense}', /list/],
      ['controllers.delegatePort=1', /delegatePort/],
    ] as const) {
      it(`refuses ${wrong}`, async () => {
        const { code, stderr } = await helm(
          'template',
          release,
          chart,
          '--kube-version',
          kubectlVersion,
          '--set',
          wrong,
        );
        expect(code).not.to.equal(0);
        expect(stderr)
          .to.match(/values don't meet the specifications of the schema/)
          .and.to.match(reason);
      });
    }
  });
}

for (const { title, tool } of shareOf(helms)) {
  describe(`a release of the chart, by ${title}`, function () {
    this.timeout(120_000);
    let host: Host;
    before(async function () {
      this.timeout(900_000);
      host = await Host.start(tool);
    });
    after(() => host?.stop());

    it('is accepted, its pods under the restricted standard', async () => {
      await host.helmOK('install', release, chart, '--dry-run=server');
      expect(await host.objects('secrets')).to.deep.equal([]);
      expect(await host.helmOK('install', release, chart))
        .to.include('STATUS: deployed')
        .and.to.include(`port-forward service/${name} 6443:443`);
      for (const workload of await host.objects('deployments,statefulsets')) {
        const { metadata, spec } = (workload as WorkloadManifest).spec.template;
        const { stdout, stderr } = await host.kubectl.run(
          ['create', '--dry-run=server', '-f', '-'],
          JSON.stringify({
            apiVersion: 'v1',
            kind: 'Pod',
            metadata: { ...metadata, name: 'probe', namespace },
            spec: {
              ...spec,
              volumes: [
                ...spec.volumes,
                ...((workload as WorkloadManifest).spec.volumeClaimTemplates ?? []).map((claim) => ({
                  name: claim.metadata.name,
                  emptyDir: {},
                })),
              ],
            },
          }),
        );
        expect(stderr).to.equal('');
        expect(stdout).to.equal('pod/probe created (server dry run)\n');
      }
    });
    it('is accepted with any values', async () => {
      for (const file of ['containers', 'external-etcd', 'own-certificates', 'everything']) {
        const rendered = parseAllDocuments(
          await host.helmOK(
            'template',
            'two',
            chart,
            '--no-hooks',
            '--kube-version',
            kubectlVersion,
            '-f',
            values(file),
            '--set',
            'serviceMonitor.enabled=false,prometheusRule.enabled=false',
          ),
        );
        await host.kubectl.ok(
          ['create', '--dry-run=server', '-n', namespace, '-f', '-'],
          JSON.stringify({
            apiVersion: 'v1',
            kind: 'List',
            items: rendered.map((document) => document.toJS() as unknown).filter((object) => object !== null),
          }),
        );
      }
    });
    it('keeps its certificates, keys and token through upgrades', async () => {
      const before = await host.secrets();
      expect([...before.keys()].sort()).to.deep.equal(everySecret);
      await host.helmOK('upgrade', release, chart, '--set', 'verbosity=2');
      expect(await host.secrets()).to.deep.equal(before);
      await host.helmOK('rollback', release, '1');
      expect(await host.secrets()).to.deep.equal(before);
    });
    it('issues anew what is for other names, or when told to', async () => {
      const before = await host.secrets();
      await host.helmOK('upgrade', release, chart, '--set', 'certificates.extraNames={plane.example.com}');
      const renamed = await host.secrets();
      expect(
        everySecret.filter((secret) => renamed.get(secret)!['tls.crt'] !== before.get(secret)!['tls.crt']),
      ).to.deep.equal([`${name}-aggregator-tls`]);
      await host.helmOK(
        'upgrade',
        release,
        chart,
        '--set',
        'certificates.extraNames={plane.example.com},certificates.rotation=2',
      );
      const rotated = await host.secrets();
      const issued = everySecret.filter(
        (secret) => rotated.get(secret)!['tls.crt'] !== renamed.get(secret)!['tls.crt'],
      );
      expect(issued).to.deep.equal(
        everySecret.filter(
          (secret) =>
            !authorities.includes(secret) && secret !== `${name}-admin` && secret !== `${name}-service-account`,
        ),
      );
      for (const secret of issued) {
        const authority = secret.endsWith('-client')
          ? secret.includes('etcd')
            ? 'etcd-ca'
            : 'front-proxy-ca'
          : secret.includes('etcd')
            ? 'etcd-ca'
            : 'ca';
        expect(
          certificate(rotated.get(secret)).verify(certificate(before.get(`${name}-${authority}`)).publicKey),
          secret,
        ).to.equal(true);
      }
      expect(rotated.get(`${name}-service-account`)).to.deep.equal(before.get(`${name}-service-account`));
      expect(rotated.get(`${name}-admin`)).to.deep.equal(before.get(`${name}-admin`));
    });
    it('issues anew what is old', async () => {
      await host.kubectl.ok(
        `annotate secret ${name}-etcd-tls -n ${namespace} --overwrite ` +
          `kubechain/issued-at=${Math.floor(Date.now() / 1000) - 250 * 86_400}`,
      );
      const before = await host.secrets();
      // The annotation is kubectl's now, as helm 4 sees it.
      await host.helmOK(
        'upgrade',
        release,
        chart,
        '--set',
        'certificates.extraNames={plane.example.com},certificates.rotation=2',
        ...(tool === 'helm4' ? ['--force-conflicts'] : []),
      );
      const after = await host.secrets();
      expect(
        everySecret.filter((secret) => JSON.stringify(after.get(secret)) !== JSON.stringify(before.get(secret))),
      ).to.deep.equal([`${name}-etcd-tls`]);
    });
    it('changes its topology, both beside each other if told so, and goes', async () => {
      const deployments = async (): Promise<readonly string[]> =>
        (await host.objects('deployments')).map(({ metadata }) => metadata.name);
      await host.helmOK('upgrade', release, chart, '--set', 'topology=containers,formerTopology=pods');
      expect(await deployments()).to.have.members([
        name,
        ...['aggregator', 'kube-apiserver', 'apiextensions'].map((part) => `${name}-${part}`),
      ]);
      const { spec } = (await host.objects('services')).find(
        ({ metadata }) => metadata.name === name,
      ) as ServiceManifest;
      // The Service finds both.
      const found = ((await host.objects('deployments')) as WorkloadManifest[]).filter(({ spec: { template } }) =>
        Object.entries(spec.selector).every(([key, value]) => template.metadata.labels[key] === value),
      );
      expect(found.map(({ metadata }) => metadata.name)).to.have.members([name, `${name}-aggregator`]);
      await host.helmOK('upgrade', release, chart, '--set', 'topology=containers,aggregator.replicas=3');
      expect(await deployments()).to.deep.equal([name]);
      expect(await host.helmOK('uninstall', release)).to.include('uninstalled');
      expect(await host.objects('all,secrets,pdb,netpol')).to.deep.equal([]);
    });
  });
}

/** Over the base image, in MB: as it is pulled, and the files that it has, which is what docker tells. */
const IMAGE_LIMITS = { packed: 15, unpacked: 32 };
const MB = 1e6;

/** As much of package.json as is read here. */
interface Named {
  readonly name: string;
  readonly version: string;
}

/** As much of what package-lock.json says of a package as is read here. */
interface Locked {
  readonly integrity?: string;
  /** Why nobody should use it. */
  readonly deprecated?: string;
  /** It is one of ours. */
  readonly link?: boolean;
}

/** Folders of the packages that are installed below one, as package-lock.json names them. */
function installedIn(folder: string): readonly string[] {
  return globSync(['node_modules/*/package.json', 'node_modules/@*/*/package.json'], { cwd: folder }).map((file) =>
    posix.dirname(file),
  );
}

/** Whether it is for one kind of processor. */
function isCompiled(file: string): boolean {
  return readFileSync(file)
    .subarray(0, 4)
    .equals(Buffer.from([0x7f, 0x45, 0x4c, 0x46]));
}

const MIB = 2 ** 20;
/** Of memory that the image's processes have of their own. */
const MEMORY_LIMIT = 200 * MIB;

let image: Promise<BuiltImage> | undefined;
let imageFolder: string | undefined;
after(() => {
  if (imageFolder !== undefined) rmSync(imageFolder, { recursive: true, force: true });
});
/** What `docker build` would make, made once. */
function builtImage(): Promise<BuiltImage> {
  imageFolder ??= mkdtempSync(join(tmpdir(), 'kubechain-image-'));
  return (image ??= buildImage(root, imageFolder));
}

describe('the image', () => {
  it('has the programs, as sources too, and nothing that tests need', async function () {
    this.timeout(300_000);
    const built = await builtImage();
    expect(built.user).to.equal('1000:1000');
    const inside = join(built.root, built.workdir);
    for (const program of [
      'dist/etcd.mjs',
      'dist/aggregator.mjs',
      'dist/kube-apiserver.mjs',
      'dist/apiextensions.mjs',
      'dist/controllers.mjs',
      'packages/embedded-etcd/src/main.ts',
      'packages/aggregator/src/main.ts',
    ]) {
      expect(await run(process.execPath, [program, '--help'], { cwd: inside }), program).to.match(/etcd|--secure-port/);
    }
    const env = { ...process.env, KUBECHAIN_BUNDLE: join(built.root, built.env['KUBECHAIN_BUNDLE'] ?? '') };
    expect(await run(process.execPath, [...built.command.slice(1), '--help'], { cwd: inside, env })).to.include(
      'kubechain',
    );
    expect(
      (await run('find', ['.', '-name', '*.spec.ts', '-not', '-path', './node_modules/*'], { cwd: inside })).trim(),
    ).to.equal('');
    expect((await run('ls', ['node_modules'], { cwd: inside })).split('\n'))
      .to.include('express')
      .and.not.to.include('mocha');
  });

  it('is small, the same for every architecture, and says what it is', async function () {
    this.timeout(300_000);
    const { root: folder, labels, healthCheck, volumes } = await builtImage();
    const sizes = (await run('find', [folder, '-type', 'f', '-printf', '%s\n'])).trim().split('\n').map(Number);
    expect(sizes.reduce((sum, bytes) => sum + bytes) / MB, 'MB over its base').to.be.below(IMAGE_LIMITS.unpacked);
    const packed = Number(await run('sh', ['-c', 'tar -C "$1" -cf - . | gzip -1 | wc -c', 'sh', folder]));
    expect(packed / MB, 'MB over its base, packed').to.be.below(IMAGE_LIMITS.packed);
    const compiled = (await run('find', [folder, '-type', 'f'])).trim().split('\n').filter(isCompiled);
    expect(compiled).to.deep.equal([]);
    expect(labels).to.deep.include({
      'org.opencontainers.image.title': 'kubechain',
      'org.opencontainers.image.version': (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Named)
        .version,
    });
    expect(healthCheck.slice(0, 3)).to.deep.equal(['node', 'packages/kubechain/bin/kubechain.js', 'status']);
    expect(volumes).to.deep.equal(['/data']);
  });

  it('lists in its SBOM the packages that it has', async function () {
    this.timeout(300_000);
    const built = await builtImage();
    const inside = join(built.root, built.workdir);
    const { bomFormat, components } = JSON.parse(readFileSync(join(inside, 'sbom.cdx.json'), 'utf8')) as {
      readonly bomFormat: string;
      readonly components: readonly { readonly purl: string; readonly licenses?: readonly unknown[] }[];
    };
    expect(bomFormat).to.equal('CycloneDX');
    const installed = installedIn(inside).map(
      (folder) => JSON.parse(readFileSync(join(inside, folder, 'package.json'), 'utf8')) as Named,
    );
    const listed = new Set(components.map(({ purl }) => decodeURIComponent(purl)));
    expect(
      installed.map(({ name: of, version }) => `pkg:npm/${of}@${version}`).filter((purl) => !listed.has(purl)),
    ).to.deep.equal([]);
    expect(components.filter(({ licenses = [] }) => licenses.length === 0)).to.deep.equal([]);
    expect([...listed].filter((purl) => purl.startsWith('pkg:npm/mocha@'))).to.deep.equal([]);
  });

  it('has no package that its author has withdrawn, and of each what was published', async function () {
    this.timeout(300_000);
    const built = await builtImage();
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, Locked>>;
    };
    const others = installedIn(join(built.root, built.workdir)).filter((folder) => packages[folder]?.link !== true);
    expect(others).to.not.deep.equal([]);
    expect(
      others.filter(
        (folder) => packages[folder]?.integrity?.startsWith('sha512-') !== true || 'deprecated' in packages[folder],
      ),
    ).to.deep.equal([]);
  });

  it('by itself runs the chain from its programs, with their logs on standard output, and ends', async function () {
    this.timeout(300_000);
    const alone = await ImageProcess.start(await builtImage());
    try {
      await alone.says(/^kube-apiserver +\S/m);
      const programs = await run('pgrep', ['-af', alone.dataDir]);
      expect(programs).to.include('dist/kube-apiserver.mjs').and.not.to.include('src/main.ts');
    } finally {
      expect((await alone.stop()).code).to.equal(0);
    }
  });

  it('has less than 200 MiB of its own at rest, and ends within three seconds while clients work', async function () {
    this.timeout(600_000);
    const built = await builtImage();
    const memory: number[] = [];
    const endsMs: number[] = [];
    for (let start = 0; start < 3; start++) {
      const alone = await ImageProcess.start(built);
      memory.push((await comesToRest(alone, MEMORY_LIMIT)) / MIB);
      const work = new Work(Client.fromKubeconfig(alone.kubeconfig), 50);
      await work.goesOnFor(2_000);
      const [{ code, tookMs }] = await Promise.all([alone.stop(), work.untilItEnds()]);
      expect(code).to.equal(0);
      endsMs.push(tookMs);
    }
    expect(memory.toSorted((a, b) => a - b)[1], `MiB, of ${memory.join(', ')}`).to.be.below(MEMORY_LIMIT / MIB);
    // Others on the same processors make it longer: the shortest tells what it takes.
    expect(Math.min(...endsMs), `ms, of ${endsMs.join(', ')}`).to.be.below(3_000);
  });
});

/** What a debugger is given; the image has no more of other packages than they load. */
const fromSources = ['aggregator', 'kubeApiserver', 'apiextensions', 'store.embedded']
  .map((part) => `${part}.sources=true`)
  .join(',');

for (const [title, tool, args] of [
  ['as pods of their own', 'helm4', ['--set', 'controllers.enabled=true,shutdownDelay=1s']],
  [
    'as containers of one pod, from their sources',
    'helm3',
    ['--set', `topology=containers,shutdownDelay=0s,${fromSources}`],
  ],
] as const) {
  describe(`the servers of the chart, ${title}`, function () {
    this.timeout(120_000);
    const pods = tool === 'helm4';
    const settings = [...args, '--set', 'service.port=6443'];
    let host: Host;
    let cluster: LocalCluster;
    let kubectl: (...args: string[]) => Promise<Result>;
    const ok = async (...args_: string[]): Promise<string> => {
      const { code, stdout, stderr } = await kubectl(...args_);
      expect(
        code,
        `kubectl ${args_.join(' ')}\n${stdout}${stderr}` +
          `\n${[...cluster.pods.values()].map((pod) => pod.output).join('')}`,
      ).to.equal(0);
      return stdout;
    };
    const secret = async (suffix: string): Promise<Readonly<Record<string, string>>> =>
      (await host.secrets()).get(`${name}-${suffix}`)!;
    const pem = (data: Readonly<Record<string, string>>, key: string): Buffer => Buffer.from(data[key]!, 'base64');

    before(async function () {
      this.timeout(900_000);
      const built = await builtImage();
      host = await Host.start(tool);
      await host.helmOK('install', release, chart, ...settings);
      cluster = new LocalCluster({ namespace, imageRoot: join(built.root, built.workdir) });
      await cluster.start(await host.objects('services,secrets,deployments,statefulsets'));
      const path = await goTool('kubectl');
      const { address, host: serverName } = cluster.service(name);
      const kubeconfig = join(cluster.folder, 'kubeconfig');
      writeFileSync(kubeconfig, pem(await secret('admin'), 'kubeconfig'));
      expect(readFileSync(kubeconfig, 'utf8')).to.include(`https://${serverName}:6443`);
      kubectl = (...args_) =>
        execute(
          path,
          [
            '--kubeconfig',
            kubeconfig,
            '--server',
            `https://${address}:6443`,
            '--tls-server-name',
            serverName,
            ...args_,
          ],
          { timeoutMs: 120_000 },
        );
    });
    after(async () => {
      await cluster?.stop();
      await host?.stop();
    });

    it('answer as one Kubernetes', async () => {
      expect(
        await ok('auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username} {.status.userInfo.groups}'),
      ).to.equal('kubernetes-admin ["system:masters","system:authenticated"]');
      await ok('create', 'deployment', 'web', '--image=nginx');
      expect(await ok('get', 'deployments', '-o', 'name')).to.equal('deployment.apps/web\n');
      const input = join(cluster.folder, 'crd.json');
      writeFileSync(input, JSON.stringify(crd));
      await ok('create', '-f', input);
      await ok('wait', '--for=condition=Established', 'crd/wings.planes.example.com');
      writeFileSync(
        input,
        JSON.stringify({
          apiVersion: 'planes.example.com/v1',
          kind: 'Wing',
          metadata: { name: 'left', namespace: 'default' },
          spec: { span: 40 },
        }),
      );
      for (
        let tries = 0;
        tries < 600 && !(await ok('api-resources', '--api-group=planes.example.com', '-o', 'name')).includes('wings');
        tries++
      )
        await new Promise((resolve) => setTimeout(resolve, 100));
      await ok('create', '-f', input);
      expect(await ok('get', 'wings', '-o', 'jsonpath={.items[0].spec.span}')).to.equal('40');
      expect((await kubectl('patch', 'wing', 'left', '--type=merge', '-p', '{"spec":{"span":100}}')).stderr).to.include(
        'should be less than or equal to 80',
      );
      expect(
        await ok(
          'get',
          'endpoints',
          'kubernetes',
          '-o',
          'jsonpath={.subsets[0].addresses[0].ip}:{.subsets[0].ports[0].port}',
        ),
      ).to.equal(`${cluster.service(name).address}:6443`);
      await ok('create', 'serviceaccount', 'pilot');
      const token = (await ok('create', 'token', 'pilot')).trim();
      expect(await ok('--token', token, 'auth', 'whoami', '-o', 'jsonpath={.status.userInfo.username}')).to.equal(
        'system:serviceaccount:default:pilot',
      );
    });
    if (pods)
      it('have controllers: namespaces come with what belongs to them, and go', async () => {
        await ok('create', 'namespace', 'short');
        await ok('wait', 'serviceaccount/default', '-n', 'short', '--for=create', '--timeout=60s');
        await ok('wait', 'configmap/kube-root-ca.crt', '-n', 'short', '--for=create', '--timeout=60s');
        expect(
          await ok('get', 'configmap', 'kube-root-ca.crt', '-n', 'short', '-o', 'jsonpath={.data.ca\\.crt}'),
        ).to.equal(pem(await secret('ca'), 'tls.crt').toString());
        await ok('create', 'configmap', 'one', '-n', 'short');
        await ok('delete', 'namespace', 'short', '--timeout=60s');
        expect(
          await ok(
            'get',
            'lease',
            'kube-controller-manager',
            '-n',
            'kube-system',
            '-o',
            'jsonpath={.spec.holderIdentity}',
          ),
        ).not.to.equal('');
      });
    it('pass the test of the release', async () => {
      const { stdout } = await host.helm('get', 'hooks', release);
      const [test] = parseAllDocuments(stdout)
        .map((document) => document.toJS() as PodManifest)
        .filter((object) => object?.kind === 'Pod');
      const { code, output } = await cluster.runToEnd(test!);
      expect(code, output).to.equal(0);
      expect(output).to.include('passed');
    });
    it('are live and ready by the probes that kubelets make', async () => {
      for (const pod of cluster.pods.values()) {
        for (const workload of await host.objects('deployments,statefulsets')) {
          if (workload.metadata.name !== pod.name) continue;
          for (const { livenessProbe, readinessProbe } of (workload as WorkloadManifest).spec.template.spec
            .containers) {
            expect(await pod.passes(livenessProbe!), pod.output).to.equal(true);
            expect(await pod.passes(readinessProbe!), pod.output).to.equal(true);
          }
        }
      }
    });
    it('let nobody but each other in between', async () => {
      const etcd = {
        host: cluster.service(`${name}-etcd`).host,
        address: cluster.service(`${name}-etcd`).address,
        port: 2379,
        ca: pem(await secret('etcd-ca'), 'tls.crt'),
      };
      const stranger = await secret('aggregator-tls');
      expect(await admits(etcd, undefined)).to.equal(false);
      expect(await admits(etcd, stranger)).to.equal(false);
      expect(await admits(etcd, await secret('etcd-client'))).to.equal(true);
      if (!pods) return;
      const [kas, ext] = await Promise.all(
        [
          ['kube-apiserver', 7444],
          ['apiextensions', 7445],
        ].map(async ([component, port]) => {
          const { host: serverName, address } = cluster.service(`${name}-${component}`);
          return { host: serverName, address, port: Number(port), ca: pem(await secret('ca'), 'tls.crt') };
        }),
      );
      for (const hop of [kas!, ext!]) {
        expect(await admits(hop, undefined)).to.equal(false);
        expect(await admits(hop, stranger)).to.equal(false);
      }
      expect(await admits(kas!, await secret('aggregator-client'))).to.equal(true);
      expect(await admits(ext!, await secret('kube-apiserver-client'))).to.equal(true);
      expect(await admits(ext!, await secret('aggregator-client'))).to.equal(false);
      expect(await admits(kas!, await secret('kube-apiserver-client'))).to.equal(false);
    });
    it('go over to new certificates and authorities while they run', async function () {
      this.timeout(120_000);
      for (const authority of ['etcd-ca', 'front-proxy-ca'])
        await host.kubectl.ok(`delete secret ${name}-${authority} -n ${namespace}`);
      await host.helmOK('upgrade', release, chart, ...settings, '--set', 'certificates.rotation=2');
      cluster.updateSecrets(await host.objects('secrets'));
      const listeners = [
        [name, 6443, 'aggregator-tls'],
        [`${name}-etcd`, 2379, 'etcd-tls'],
        ...(pods
          ? ([
              [`${name}-kube-apiserver`, 7444, 'kube-apiserver-tls'],
              [`${name}-apiextensions`, 7445, 'apiextensions-tls'],
              [`${name}-apiextensions`, 6445, 'apiextensions-tls'],
            ] as const)
          : []),
      ] as const;
      for (const [service, port, serving] of listeners) {
        const expected = certificate(await secret(serving)).fingerprint256;
        let shown = '';
        for (const deadline = Date.now() + 60_000; shown !== expected && Date.now() < deadline;) {
          shown = await certificateAt(cluster.service(service).address, port);
          if (shown !== expected) await new Promise((resolve) => setTimeout(resolve, 250));
        }
        expect(shown, `${service}:${port}`).to.equal(expected);
      }
      // Open connections were made with the old ones; new ones could not be.
      await cluster.pod(`${name}-etcd`).restart();
      if (pods) {
        await cluster.pod(`${name}-apiextensions`).restart();
        await cluster.pod(`${name}-kube-apiserver`).restart();
        await cluster.pod(`${name}-aggregator`).ready();
      }
      if (pods)
        expect(
          (
            await ok(
              'get',
              'configmap',
              'extension-apiserver-authentication',
              '-n',
              'kube-system',
              '-o',
              'jsonpath={.data.requestheader-client-ca-file}',
            )
          ).match(/BEGIN CERTIFICATE/g),
        ).to.have.length(2);
      await ok('annotate', 'wing', 'left', 'rotated=yes');
      expect(await ok('get', 'wings,deployments', '-o', 'name')).to.equal(
        'wing.planes.example.com/left\ndeployment.apps/web\n',
      );
    });
    it('end in good order', async () => {
      const codes = await Promise.all([...cluster.pods.values()].map((pod) => pod.stop()));
      expect(codes.flat()).to.deep.equal(codes.flat().map(() => 0));
    });
  });
}

/** Fingerprint of what a listener shows, whoever asks. */
function certificateAt(host: string, port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, rejectUnauthorized: false, ALPNProtocols: ['h2', 'http/1.1'] });
    socket.once('secureConnect', () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

interface Hop {
  readonly host: string;
  readonly address: string;
  readonly port: number;
  readonly ca: Buffer;
}

/**
 * Whether a listener talks to the holder of a certificate: with TLS 1.3 a refusal comes after the client's handshake is
 * done.
 */
function admits(hop: Hop, client: Readonly<Record<string, string>> | undefined): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect({
      host: hop.address,
      port: hop.port,
      servername: hop.host,
      ca: hop.ca,
      ALPNProtocols: ['h2', 'http/1.1'],
      ...(client === undefined
        ? {}
        : { cert: Buffer.from(client['tls.crt']!, 'base64'), key: Buffer.from(client['tls.key']!, 'base64') }),
    });
    socket.once('secureConnect', () => {
      if (!socket.authorized)
        reject(new Error(`the listener is not ${hop.host}: ${String(socket.getPeerCertificate().subject.CN)}`));
      // An HTTP/1.1 request is answered by either protocol, if only with an error.
      socket.write('GET /livez/ping HTTP/1.1\r\nHost: x\r\n\r\n');
    });
    socket.once('data', () => {
      resolve(true);
      socket.destroy();
    });
    socket.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_TLS_CERT_ALTNAME_INVALID') reject(error);
      else resolve(false);
    });
    socket.once('close', () => {
      resolve(false);
    });
  });
}
