import { startRealEtcd, type EtcdProcess } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { execute, run, type Result } from '../harness/run.ts';

/** Published CRDs that are as large, and as full of rules, as CRDs get; by the hash of their Go module. */
const modules = [
  {
    path: 'sigs.k8s.io/gateway-api',
    version: 'v1.4.0',
    sum: 'h1:ZwlNM6zOHq0h3WUX2gfByPs2yAEsy/EenYJB78jpQfQ=',
    folder: 'config/crd/standard',
    crds: 6,
  },
  {
    path: 'github.com/cert-manager/cert-manager',
    version: 'v1.19.1',
    sum: 'h1:Txh8L/nLWTDcb7ZnXuXbTe15BxQnLbLirXmbNk0fGgY=',
    folder: 'deploy/crds',
    crds: 6,
  },
] as const;
const good = join(import.meta.dirname, '../../manifests/real-crds/good.yaml');

for (const store of ['the embedded store', 'a real etcd'] as const)
  describe(`CRDs of gateway-api and cert-manager, over ${store}`, () => {
    let chain: Chain;
    let etcd: EtcdProcess | undefined;
    let cache: string;
    const folders: string[] = [];
    const kubectl = (args: readonly string[], input?: string): Promise<Result> =>
      execute('kubectl', ['--kubeconfig', chain.kubeconfig, '--cache-dir', cache, ...args], {
        timeoutMs: 180_000,
        ...(input === undefined ? {} : { input }),
      });

    before(async function () {
      // Modules have to be downloaded.
      this.timeout(900_000);
      cache = mkdtempSync(join(tmpdir(), 'kubechain-real-crds-'));
      for (const { folder, path, sum, version } of modules) {
        // The hash is checked here, so that nobody has to be asked for it.
        const module = JSON.parse(
          await run('go', ['mod', 'download', '-json', `${path}@${version}`], {
            cwd: cache,
            env: { GONOSUMDB: '*', GOFLAGS: '' },
          }),
        ) as { readonly Dir: string; readonly Sum: string };
        expect(module.Sum, path).to.equal(sum);
        folders.push(join(module.Dir, folder));
      }
      if (store === 'a real etcd') etcd = await startRealEtcd();
      chain = await startChain(etcd === undefined ? {} : { flags: ['--etcd-servers', etcd.endpoint] });
    });
    after(async () => {
      await chain?.stop();
      await etcd?.stop();
      rmSync(cache, { recursive: true, force: true });
    });

    it('are applied together with their first objects, in one go with retries', async () => {
      const files = [...folders, good].flatMap((path) => ['-f', path]);
      let result: Result = { code: 1, stdout: '', stderr: '' };
      // kubectl looks kinds up before it sends anything, so that the first attempt cannot know the new ones.
      for (let attempt = 0; attempt < 5 && result.code !== 0; attempt++)
        result = await kubectl(['apply', '--server-side', ...files]);
      expect(result.code, result.stderr).to.equal(0);
      expect(result.stdout.match(/^customresourcedefinition\S+ serverside-applied$/gm)).to.have.length(
        modules.reduce((sum, { crds }) => sum + crds, 0),
      );
      expect((await kubectl(['wait', '--for=condition=Established', '--timeout=90s', 'crd', '--all'])).code).to.equal(
        0,
      );
      expect(
        (await kubectl(['get', 'gateways,httproutes,certificates,issuers', '-o', 'name'])).stdout.trim().split('\n'),
      ).to.have.length(4);
    });

    const refused: readonly (readonly [name: string, object: object, errors: readonly string[]])[] = [
      [
        'a gateway that breaks rules of its listeners',
        {
          apiVersion: 'gateway.networking.k8s.io/v1',
          kind: 'Gateway',
          metadata: { name: 'bad' },
          spec: {
            gatewayClassName: 'any',
            listeners: [
              { name: 'http', port: 80, protocol: 'HTTP', tls: { certificateRefs: [{ name: 'x' }] } },
              { name: 'http', port: 80, protocol: 'HTTP' },
            ],
          },
        },
        [
          "tls must not be specified for protocols ['HTTP', 'TCP', 'UDP']",
          'Listener name must be unique within the Gateway',
          'Combination of port, protocol and hostname must be unique for each listener',
        ],
      ],
      [
        'a route that redirects and serves',
        {
          apiVersion: 'gateway.networking.k8s.io/v1',
          kind: 'HTTPRoute',
          metadata: { name: 'bad' },
          spec: {
            rules: [
              {
                matches: [{ path: { type: 'PathPrefix', value: 'a//b' } }],
                filters: [{ type: 'RequestRedirect', requestRedirect: { hostname: 'x.example' } }],
                backendRefs: [{ name: 'shop' }],
              },
            ],
          },
        },
        [
          'RequestRedirect filter must not be used together with backendRefs',
          'Must have port for Service reference',
          "must not contain '//' when type one of ['Exact', 'PathPrefix']",
        ],
      ],
      [
        'a certificate without an issuer',
        {
          apiVersion: 'cert-manager.io/v1',
          kind: 'Certificate',
          metadata: { name: 'bad' },
          spec: { issuerRef: { kind: 'Issuer' }, privateKey: { algorithm: 'DSA' } },
        },
        [
          'spec.issuerRef.name: Required value',
          'spec.privateKey.algorithm: Unsupported value: "DSA": supported values: "RSA", "ECDSA", "Ed25519"',
          'spec.secretName: Required value',
        ],
      ],
    ];
    for (const [name, object, errors] of refused) {
      it(`refuse ${name}`, async () => {
        const { code, stderr } = await kubectl(['create', '--validate=false', '-f', '-'], JSON.stringify(object));
        expect(code).to.equal(1);
        for (const error of errors) expect(stderr).to.contain(error);
      });
    }

    it('explain themselves', async () => {
      expect((await kubectl(['explain', 'gateway.spec.listeners.tls'])).stdout).to.contain(
        'TLS is the TLS configuration for the Listener.',
      );
    });
  });
