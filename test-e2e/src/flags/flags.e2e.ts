import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { startChain, type Chain } from '../harness/chain.ts';
import { Client } from '../harness/client.ts';
import { listenLocally, localhostCertificate, writeWebhookKubeconfig } from '../harness/local-https.ts';

interface EventList {
  readonly kind: string;
  readonly apiVersion: string;
  readonly items: readonly { readonly stage: string; readonly requestURI: string; readonly requestObject?: object }[];
}

/** Takes lists of audit events, or refuses them. */
class AuditReceiver {
  readonly lists: EventList[] = [];
  refuses = false;
  readonly server: Server;
  readonly certificate: string;

  constructor() {
    const credentials = localhostCertificate();
    this.certificate = credentials.cert;
    this.server = createServer(credentials, (request, response) => {
      void text(request).then((body) => {
        if (this.refuses) response.statusCode = 500;
        else this.lists.push(JSON.parse(body) as EventList);
        response.end();
      });
    });
  }

  /** Writes a kubeconfig that leads here. */
  async listen(file: string): Promise<void> {
    const port = await listenLocally(this.server);
    writeWebhookKubeconfig(file, { certificate: this.certificate, url: `https://localhost:${port}/events` });
  }

  stagesOf(path: string): string[] {
    return this.lists
      .flatMap(({ items }) => items)
      .filter(({ requestURI }) => requestURI === path)
      .map(({ stage }) => stage);
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}

function configMap(name: string): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'b' } };
}

describe('flags of kube-apiserver', () => {
  let folder: string;
  let receiver: AuditReceiver;
  let policy: string;
  let kubeconfig: string;
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-flags-'));
    receiver = new AuditReceiver();
    kubeconfig = join(folder, 'audit.kubeconfig');
    await receiver.listen(kubeconfig);
    policy = join(folder, 'policy.json');
    writeFileSync(
      policy,
      JSON.stringify({
        apiVersion: 'audit.k8s.io/v1',
        kind: 'Policy',
        rules: [
          { level: 'None', nonResourceURLs: ['*'] },
          { level: 'RequestResponse', resources: [{ group: '', resources: ['configmaps'] }], verbs: ['create'] },
        ],
      }),
    );
  });
  after(() => {
    receiver.close();
    rmSync(folder, { recursive: true });
  });

  describe('with a strict audit webhook, and much that is turned off', () => {
    let chain: Chain;
    let client: Client;
    before(async () => {
      chain = await startChain({
        flags: [
          `--audit-policy-file=${policy}`,
          `--audit-webhook-config-file=${kubeconfig}`,
          '--audit-webhook-mode=blocking-strict',
          '--audit-webhook-initial-backoff=1ms',
          `--debug-socket-path=${join(folder, 'debug.sock')}`,
          '--runtime-config=batch/v1=false,apps/v1/daemonsets=false',
          '--feature-gates=ComponentFlagz=false,APIServerIdentity=false',
          '--kubernetes-service-node-port=31443',
          '--disabled-metrics=apiserver_request_total',
          '--min-compatibility-version=1.34',
          '--tls-curve-preferences=29',
        ],
      });
      client = Client.fromKubeconfig(chain.kubeconfig);
    });
    after(() => chain.stop());

    it('answers when the events are taken', async () => {
      receiver.lists.length = 0;
      const path = '/api/v1/namespaces/default/configmaps';
      const { status } = await client.call('POST', path, { body: configMap('recorded') });
      expect([status, receiver.stagesOf(path)]).to.deep.equal([201, ['RequestReceived', 'ResponseComplete']]);
      expect(receiver.lists.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).to.deep.equal([
        'audit.k8s.io/v1 EventList',
        'audit.k8s.io/v1 EventList',
      ]);
    });

    it('refuses what cannot be recorded, and does not do it', async () => {
      receiver.refuses = true;
      const refused = await client.call('POST', '/api/v1/namespaces/default/configmaps', {
        body: configMap('unrecorded'),
      });
      receiver.refuses = false;
      expect([refused.status, (refused.body as { message: string }).message]).to.deep.equal([
        500,
        'Internal error occurred: failed to store audit event',
      ]);
      const { status } = await client.call('GET', '/api/v1/namespaces/default/configmaps/unrecorded');
      expect(status).to.equal(404);
    });

    it('serves neither a version nor a resource that is turned off', async () => {
      const statuses = await Promise.all(
        ['/apis/batch/v1', '/apis/batch/v1/jobs', '/apis/apps/v1/daemonsets', '/apis/apps/v1/deployments'].map(
          async (path) => (await client.call('GET', path)).status,
        ),
      );
      expect(statuses).to.deep.equal([404, 404, 404, 200]);
    });

    it('follows feature gates', async () => {
      const { status } = await client.call('GET', '/flagz');
      const leases = await client.call('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases');
      expect([status, (leases.body as { items: unknown[] }).items]).to.deep.equal([404, []]);
    });

    it('shows gates and versions in metrics, and not what is disabled', async () => {
      const { text: metrics } = await client.call('GET', '/metrics');
      expect(metrics).to.include('kubernetes_feature_enabled{name="ComponentFlagz",stage="BETA"} 0\n');
      expect(metrics).to.include(
        'version_info{binary="1.36.2",component="kube",emulation="1.36",min_compat="1.34"} 1\n',
      );
      expect(metrics).not.to.include('apiserver_request_total');
    });

    it('gives service kubernetes its port of nodes', async () => {
      const { body } = await client.call('GET', '/api/v1/namespaces/default/services/kubernetes');
      const { ports, type } = (body as { spec: { type: string; ports: readonly { nodePort?: number }[] } }).spec;
      expect([type, ports[0]?.nodePort]).to.deep.equal(['NodePort', 31443]);
    });

    it('serves /debug on a socket that is for its owner', async () => {
      const socketPath = join(folder, 'debug.sock');
      const [response] = (await once(get({ socketPath, path: '/debug/flags' }), 'response')) as [NodeJS.ReadableStream];
      expect(await text(response)).to.include('/debug/flags/v');
      expect(statSync(socketPath).mode & 0o777).to.equal(0o600);
    });
  });

  it('sends events in batches, and what is left before it ends', async () => {
    receiver.lists.length = 0;
    const chain = await startChain({
      flags: [
        `--audit-policy-file=${policy}`,
        `--audit-webhook-config-file=${kubeconfig}`,
        '--audit-webhook-batch-max-size=4',
        '--audit-webhook-batch-max-wait=10m',
        '--audit-webhook-truncate-enabled',
        '--audit-webhook-truncate-max-event-size=4000',
        '--topology=all-in-one',
      ],
    });
    const path = '/api/v1/namespaces/default/configmaps';
    try {
      const client = Client.fromKubeconfig(chain.kubeconfig);
      for (const name of ['a', 'b', 'c'])
        await client.call('POST', path, {
          body: { ...configMap(name), data: { a: name === 'b' ? 'x'.repeat(10_000) : '' } },
        });
      for (let i = 0; i < 600 && receiver.lists.length === 0; i++) await delay(100);
      expect(receiver.lists.map(({ items }) => items.length)).to.deep.equal([4]);
    } finally {
      await chain.stop();
    }
    expect(receiver.lists.map(({ items }) => items.length)).to.deep.equal([4, 2]);
    const completed = receiver.lists.flatMap(({ items }) => items).filter(({ stage }) => stage === 'ResponseComplete');
    expect(completed.map((event) => event.requestObject !== undefined)).to.deep.equal([true, false, true]);
  });

  it('refuses what no release has, naming the flag', async () => {
    for (const flag of [
      '--emulated-version=1.20',
      '--kubernetes-version=1.20',
      '--feature-gates=AnyVolumeDataSource=false',
    ]) {
      let output = '';
      try {
        await (await startChain({ flags: [flag] })).stop();
      } catch (error) {
        output = String(error);
      }
      expect(output).to.match(
        /--emulated-version: emulation version 1.20 is|"1.20" is none of the releases|is locked to true/,
      );
    }
  });
});
