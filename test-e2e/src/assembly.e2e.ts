import { systemClock, systemRandomness } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assembleAggregator, flagSets as aggregatorFlags } from '@kubechain/aggregator/server';
import { assembleAPIExtensions, flagSets as apiextensionsFlags } from '@kubechain/apiextensions/server';
import { serveAssembled } from '@kubechain/apiserver/servers';
import type { AssemblyObserver } from '@kubechain/apiserver/assembly';
import { parseFlags, type Flag } from '@kubechain/apiserver/options';
import { startAllInOne } from 'kubechain/all-in-one';
import { startEmbeddedEtcd, type EmbeddedEtcd } from '@kubechain/embedded-etcd';
import { assembleKubeAPIServer, flagSets as kubeApiserverFlags } from '@kubechain/kube-apiserver/server';
import { freePort, tlsFixture } from '@kubechain/shared-storage/testing';

/** Opened and closed parts by name, in order. */
interface Journal {
  readonly opened: string[];
  readonly closed: string[];
}

type FlagSets = Readonly<Record<string, { readonly flags: Readonly<Record<string, Pick<Flag<unknown>, 'standing'>>> }>>;
/** Stands before the values of flags. */
type FlagReads = <Values extends object>(values: Values) => Values;
/** Further flags of a server, and what stands before the values of all. */
interface Given {
  readonly more: readonly string[];
  readonly reads: FlagReads;
}
const asTheyAre: Given = {
  more: [],
  reads: (values) => values,
};

/** Flags that a server takes and has nothing to do with. */
const unread = (name: string): readonly string[] =>
  name === 'kube-apiserver' ? readElsewhere : [...readElsewhere, ...ofKubeAPIServer];

/** Read for the whole process before a server is put together, or checked and of one value only. */
const readElsewhere: readonly string[] = [
  'v',
  'vmodule',
  'logging-format',
  'storage-backend',
  'show-hidden-metrics-for-version',
  'audit-log-version',
  'audit-webhook-version',
];

/** Say what kube-apiserver does for the whole chain. */
const ofKubeAPIServer: readonly string[] = [
  'advertise-address',
  'emulation-forward-compatible',
  'runtime-config-emulation-forward-compatible',
  'service-account-jwks-uri',
  'service-account-max-token-expiration',
  'service-account-extend-token-expiration',
  'storage-initialization-timeout',
  'storage-media-type',
];

const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
rules: [{ level: None }]
`;
const webhookKubeconfig = `apiVersion: v1
kind: Config
clusters: [{ name: webhook, cluster: { server: "https://127.0.0.1:1/" } }]
contexts: [{ name: webhook, context: { cluster: webhook, user: webhook } }]
current-context: webhook
users: [{ name: webhook, user: {} }]
`;

/** Remembers the names of flags whose values are read. */
function recording(read: Set<string>): FlagReads {
  const recorded = <T extends object>(of: T): T =>
    new Proxy(of, {
      get: (target, name) => {
        read.add(String(name));
        return Reflect.get(target, name) as unknown;
      },
    });
  return (values) =>
    Object.fromEntries(Object.entries(values).map(([name, set]) => [name, recorded(set as object)])) as typeof values;
}

describe('servers that cannot be put together', function () {
  this.timeout(120_000);
  let folder: string;
  let store: EmbeddedEtcd;
  let port: number;
  let insecurePort: number;
  before(async () => {
    port = await freePort();
    insecurePort = await freePort();
    folder = mkdtempSync(join(tmpdir(), 'kubechain-assembly-'));
    store = await startEmbeddedEtcd({ dataFile: join(folder, 'etcd.db'), socketPath: join(folder, 'etcd.sock') });
  });
  after(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  const flags = (name: string): string[] => [
    `--etcd-servers=unix:${join(folder, 'etcd.sock')}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${folder}`,
    '--authorization-mode=RBAC',
    `--secure-port=${port}`,
    ...(name === 'aggregator' ? [] : [`--delegate-listen=unix:${join(folder, `${name}.sock`)}`]),
    ...(name === 'apiextensions' ? [] : [`--delegate=unix:${join(folder, 'nobody.sock')}`]),
  ];
  type Run = (observer: AssemblyObserver, signal: AbortSignal, ready: () => void, given?: Given) => Promise<void>;
  const handle = (signal: AbortSignal, ready: () => void): Parameters<typeof serveAssembled>[2]['handle'] => ({
    signal,
    ready,
    clock: systemClock,
    randomness: systemRandomness,
    flags: () => new Map(),
  });
  const servers: Record<string, Run> = {
    aggregator: (observer, signal, ready, { more, reads } = asTheyAre) =>
      serveAssembled(assembleAggregator, reads(parseFlags([...flags('aggregator'), ...more], aggregatorFlags).values), {
        handle: handle(signal, ready),
        observer,
      }),
    'kube-apiserver': (observer, signal, ready, { more, reads } = asTheyAre) =>
      serveAssembled(
        assembleKubeAPIServer,
        reads(parseFlags([...flags('kube-apiserver'), ...more], kubeApiserverFlags).values),
        {
          handle: handle(signal, ready),
          observer,
        },
      ),
    apiextensions: (observer, signal, ready, { more, reads } = asTheyAre) =>
      serveAssembled(
        assembleAPIExtensions,
        reads(parseFlags([...flags('apiextensions'), ...more], apiextensionsFlags).values),
        {
          handle: handle(signal, ready),
          observer,
        },
      ),
  };

  /** Runs a server until it is ready, or until the part `failing` is to be opened. */
  async function run(server: Run, failing?: number): Promise<Journal & { readonly error: unknown }> {
    const opened: string[] = [];
    const closed: string[] = [];
    const stop = new AbortController();
    const observer: AssemblyObserver = {
      opening: (name) => {
        if (opened.length === failing) throw new RangeError(`${name} does not open`);
        opened.push(name);
      },
      closing: (name) => void closed.push(name),
    };
    const error = await server(observer, stop.signal, () => {
      stop.abort();
    }).catch((thrown: unknown) => thrown);
    return { opened, closed, error };
  }

  servers['all in one process'] = async (observer, _signal, ready) => {
    const cluster = await startAllInOne({}, { observer });
    ready();
    await cluster.close();
    await cluster.ended;
  };

  /** Flags that others go with, so that these are read as well. */
  const companions = (name: string): string[] => {
    const file = (path: string, content: string): string => {
      writeFileSync(join(folder, path), content);
      return join(folder, path);
    };
    const webhook = file('webhook.kubeconfig', webhookKubeconfig);
    const certificate = file('client.crt', tlsFixture.clientCert);
    const key = file('client.key', tlsFixture.clientKey);
    const authority = file('ca.crt', tlsFixture.ca);
    return [
      `--audit-policy-file=${file('policy.yaml', auditPolicy)}`,
      `--audit-log-path=${join(folder, 'audit.log')}`,
      '--audit-log-mode=batch',
      '--audit-log-batch-throttle-enable',
      '--audit-log-batch-throttle-qps=1',
      '--audit-log-batch-throttle-burst=1',
      '--audit-log-truncate-enabled',
      `--audit-webhook-config-file=${webhook}`,
      '--audit-webhook-truncate-enabled',
      `--authentication-token-webhook-config-file=${webhook}`,
      '--authorization-mode=Webhook',
      `--authorization-webhook-config-file=${webhook}`,
      `--requestheader-client-ca-file=${authority}`,
      '--service-account-issuer=https://issuer.example.com',
      `--service-account-signing-key-file=${file('signing.key', tlsFixture.clientKey)}`,
      `--service-account-key-file=${file('signing.crt', tlsFixture.clientCert)}`,
      ...(name === 'apiextensions'
        ? []
        : [
            '--delegate=https://127.0.0.1:1',
            '--delegate-server-name=localhost',
            `--delegate-ca-file=${authority}`,
            `--proxy-client-cert-file=${certificate}`,
            `--proxy-client-key-file=${key}`,
          ]),
      ...(name === 'aggregator'
        ? [`--insecure-port=${insecurePort}`, `--control-listen=unix:${join(folder, 'control.sock')}`]
        : []),
    ];
  };
  for (const [name, flagSets] of Object.entries({
    aggregator: aggregatorFlags,
    'kube-apiserver': kubeApiserverFlags,
    apiextensions: apiextensionsFlags,
  }))
    it(`${name} reads every flag that it accepts`, async () => {
      const read = new Set<string>();
      const stop = new AbortController();
      await servers[name]?.({}, stop.signal, () => stop.abort(), { more: companions(name), reads: recording(read) });
      const accepted = Object.values<FlagSets[string]>(flagSets).flatMap(({ flags: set }) =>
        Object.entries(set).flatMap(([flag, { standing = 'works' }]) => (standing === 'works' ? [flag] : [])),
      );
      expect(accepted.length).to.be.greaterThan(80);
      expect(accepted.filter((flag) => !read.has(flag))).to.have.members(unread(name));
    });

  /** What keeps a process alive, beside what this test itself has open. */
  const resources = (): string[] => process.getActiveResourcesInfo().sort();

  for (const [name, server] of Object.entries(servers)) {
    it(`${name} closes what it has opened, whichever part fails to open`, async () => {
      const whole = await run(server);
      expect(whole.error).to.equal(undefined);
      expect(whole.opened.length).to.be.greaterThan(8);
      expect(whole.closed).to.deep.equal(whole.opened.toReversed());
      for (let failing = 0; failing < whole.opened.length; failing++) {
        const { closed, error, opened } = await run(server, failing);
        expect(String(error)).to.equal(`RangeError: ${whole.opened[failing]} does not open`);
        // What is opened side by side with the failing part may have been opened after it.
        expect(opened.slice(0, failing)).to.deep.equal(whole.opened.slice(0, failing));
        expect(closed).to.deep.equal(opened.toReversed());
      }
    });

    it(`${name} leaves no handle behind`, async () => {
      await run(server);
      const before = resources();
      await run(server);
      await run(server, 5);
      await waitFor(() => resources().length <= before.length);
    });
  }
});

/** Sockets that were destroyed take a turn or two to go. */
async function waitFor(condition: () => boolean): Promise<void> {
  for (let tries = 0; !condition(); tries++) {
    if (tries === 600) throw new Error(`still open: ${process.getActiveResourcesInfo().sort().join(', ')}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 100);
    });
  }
}
