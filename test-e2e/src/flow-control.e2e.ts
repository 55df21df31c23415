import { freePort } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startChain, type Chain } from './harness/chain.ts';
import { Client, type Answer, type Identity } from './harness/client.ts';
import { localhostCertificate } from './harness/local-https.ts';
import { registerExtension } from './harness/register-extension.ts';

/**
 * How long the extension server takes for each request: long enough that requests wait in queues, not for the
 * processor, also on a busy machine.
 */
const serviceMs = 500;
const slow = '/apis/slow.example.com/v1/namespaces/default/things';
const flowControl = '/apis/flowcontrol.apiserver.k8s.io/v1';
const tokens: readonly (readonly [token: string, user: string])[] = [
  ['noisy', 'noisy'],
  ['quiet', 'quiet'],
  ['scheduler', 'system:kube-scheduler'],
];
const as = (token: string): { readonly as: Identity } => ({ as: { kind: 'token', token } });

/** Answers everything, slowly: what holds a seat without using the processor. */
async function startSlowServer(port: number): Promise<Server> {
  const server = createServer(localhostCertificate(), (request, response) => {
    setTimeout(
      () => {
        response.setHeader('content-type', 'application/json');
        response.end('{}');
      },
      request.url === slow ? serviceMs : 0,
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

interface Timed {
  readonly answer: Answer;
  readonly sentMs: number;
  readonly answeredMs: number;
}

describe('flow control under load', () => {
  let folder: string;
  let chain: Chain;
  let admin: Client;
  let server: Server;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-flow-control-'));
    writeFileSync(join(folder, 'tokens.csv'), tokens.map(([token, user]) => `${token},${user},${user}-uid\n`).join(''));
    chain = await startChain({
      flags: [
        '--token-auth-file',
        join(folder, 'tokens.csv'),
        '--max-requests-inflight',
        '40',
        '--max-mutating-requests-inflight',
        '20',
      ],
    });
    admin = Client.fromKubeconfig(chain.kubeconfig);
    const port = await freePort();
    server = await startSlowServer(port);
    await registerExtension(admin, { group: 'slow.example.com', versions: ['v1'], port });
    const bound = await admin.post('/apis/rbac.authorization.k8s.io/v1/clusterrolebindings', {
      metadata: { name: 'load' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: ['noisy', 'quiet'].map((name) => ({ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name })),
    });
    expect(bound.status, bound.text).to.equal(201);
    // Small queues, so that few clients are many, and seats that are not borrowed, so that they stay five however long
    // it takes.
    await admin.post(`${flowControl}/prioritylevelconfigurations`, {
      metadata: { name: 'load' },
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 20,
          borrowingLimitPercent: 0,
          limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 4, queueLengthLimit: 10 } },
        },
      },
    });
    await admin.post(`${flowControl}/flowschemas`, {
      metadata: { name: 'load' },
      spec: {
        priorityLevelConfiguration: { name: 'load' },
        matchingPrecedence: 60,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: ['noisy', 'quiet'].map((name) => ({ kind: 'User', user: { name } })),
            resourceRules: [
              {
                verbs: ['*'],
                apiGroups: ['slow.example.com'],
                resources: ['*'],
                clusterScope: true,
                namespaces: ['*'],
              },
            ],
          },
        ],
      },
    });
    await admin.until('/debug/api_priority_and_fairness/dump_priority_levels', ({ text }) => text.includes('\nload,'));
  });
  after(async () => {
    admin?.close();
    await chain?.stop();
    server?.closeAllConnections();
    server?.close();
    rmSync(folder, { recursive: true });
  });

  const uidOf = async (plural: string, name: string): Promise<string> =>
    (await admin.get(`${flowControl}/${plural}/${name}`)).body.metadata.uid as string;
  const classified = ({ headers }: Answer): readonly unknown[] => [
    headers['x-kubernetes-pf-flowschema-uid'],
    headers['x-kubernetes-pf-prioritylevel-uid'],
  ];
  const timed = async (client: Client, token: string): Promise<Timed> => {
    const sentMs = performance.now();
    const answer = await client.get(slow, as(token));
    return { answer, sentMs, answeredMs: performance.now() };
  };
  const median = (numbers: readonly number[]): number =>
    [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

  it('tells which schema and level each request is of, and that the schemas are not dangling', async () => {
    expect(classified(await admin.get('/version'))).to.deep.equal([
      await uidOf('flowschemas', 'exempt'),
      await uidOf('prioritylevelconfigurations', 'exempt'),
    ]);
    expect(classified(await admin.get('/version', as('quiet')))).to.deep.equal([
      await uidOf('flowschemas', 'global-default'),
      await uidOf('prioritylevelconfigurations', 'global-default'),
    ]);
    const { body } = await admin.until(`${flowControl}/flowschemas`, ({ body: list }) =>
      list.items.every((schema: { status?: { conditions?: unknown[] } }) => schema.status?.conditions?.length === 1),
    );
    expect(
      body.items
        .map((schema: { status: { conditions: { type: string; status: string }[] } }) => schema.status.conditions[0])
        .map(({ type, status }: { type: string; status: string }) => `${type}=${status}`),
    ).to.deep.equal(Array.from({ length: 12 }, () => 'Dangling=False'));
  });

  it('a noisy user is queued and refused; a quiet one, leaders and administrators are served', async () => {
    const client = new Client(chain.url, { kind: 'anonymous' });
    let flooding = true;
    const noisy: Timed[] = [];
    // More than a hand of 4 queues of 10 and the level's 5 seats can hold.
    const flood = Promise.all(
      Array.from({ length: 60 }, async () => {
        while (flooding) {
          const result = await timed(client, 'noisy');
          noisy.push(result);
          if (result.answer.status === 429) await delay(1_000 * Number(result.answer.headers['retry-after']));
        }
      }),
    );
    try {
      await admin.until('/debug/api_priority_and_fairness/dump_priority_levels', ({ text }) =>
        /^load,\s+4,\s+false,\s+false,\s+[34]\d,/m.test(text),
      );
      const quiet = [];
      for (let i = 0; i < 8; i++) quiet.push(await timed(client, 'quiet'));
      expect(quiet.map(({ answer }) => answer.status)).to.deep.equal(quiet.map(() => 200));
      expect((await admin.get(slow)).status).to.equal(200);
      const lease = await client.get(
        '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-scheduler',
        as('scheduler'),
      );
      expect([lease.status, ...classified(lease)]).to.deep.equal([
        404,
        await uidOf('flowschemas', 'system-leader-election'),
        await uidOf('prioritylevelconfigurations', 'leader-election'),
      ]);
      await admin.until('/debug/api_priority_and_fairness/dump_requests?includeRequestDetails=1', ({ text }) =>
        /^load,\s+load,\s+\d+,\s+\d+,\s+noisy,.*\snoisy,\s+list,\s+\/apis\/slow\.example\.com/m.test(text),
      );
      flooding = false;
      await flood;
      const refused = noisy.filter(({ answer }) => answer.status === 429);
      expect(refused.length).to.be.greaterThan(0);
      const [first] = refused;
      expect([
        first?.answer.text,
        first?.answer.headers['content-type'],
        first?.answer.headers['retry-after'],
      ]).to.deep.equal(['Too many requests, please try again later.\n', 'text/plain; charset=utf-8', '1']);
      expect(classified(first?.answer as Answer)).to.deep.equal([
        await uidOf('flowschemas', 'load'),
        await uidOf('prioritylevelconfigurations', 'load'),
      ]);
      // Times would tell more of the machine than of the queues: who overtakes whom does not.
      const overtaken = quiet.map(({ sentMs, answeredMs }) => {
        const before = noisy.filter(
          (other) => other.answer.status === 200 && other.sentMs < sentMs && other.answeredMs > sentMs,
        );
        return before.filter((other) => other.answeredMs > answeredMs).length / before.length;
      });
      expect(
        median(overtaken),
        `shares of the noisy user's waiting requests that a quiet one overtook: ${overtaken.join()}`,
      ).to.be.greaterThan(0.5);
    } finally {
      flooding = false;
      await flood;
      client.close();
    }
  });

  it('counts what it did', async () => {
    const lines = (await admin.get('/metrics')).text.split('\n');
    const value = (series: string): number =>
      Number(lines.find((line) => line.startsWith(`${series} `))?.slice(series.length + 1));
    const flow = 'flow_schema="load",priority_level="load"';
    expect(value(`apiserver_flowcontrol_rejected_requests_total{${flow},reason="queue-full"}`)).to.be.greaterThan(0);
    expect(value(`apiserver_flowcontrol_dispatched_requests_total{${flow}}`)).to.be.greaterThan(8);
    expect(value(`apiserver_flowcontrol_current_inqueue_requests{${flow}}`)).to.equal(0);
    expect(value('apiserver_flowcontrol_nominal_limit_seats{priority_level="load"}')).to.equal(5);
    expect(value('apiserver_request_terminations_total{code="429",component="apiserver"}')).to.be.greaterThan(0);
    expect(
      lines.find(
        (line) => line.startsWith('apiserver_request_total{code="429"') && line.includes('group="slow.example.com"'),
      ),
    ).to.match(/resource="things".*verb="LIST"/);
    expect(
      value('apiserver_flowcontrol_priority_level_seat_utilization_count{phase="executing",priority_level="load"}'),
    ).to.be.greaterThan(1e9);
    const shown = new Set([...lines.join('\n').matchAll(/^# TYPE (\S+ \S+)$/gm)].map(([, metric]) => metric));
    for (const metric of [
      'current_executing_requests gauge',
      'current_executing_seats gauge',
      'current_limit_seats gauge',
      'current_r gauge',
      'demand_seats histogram',
      'demand_seats_average gauge',
      'demand_seats_high_watermark gauge',
      'demand_seats_smoothed gauge',
      'demand_seats_stdev gauge',
      'dispatched_requests_total counter',
      'lower_limit_seats gauge',
      'nominal_limit_seats gauge',
      'priority_level_request_utilization histogram',
      'priority_level_seat_utilization histogram',
      'read_vs_write_current_requests histogram',
      'request_execution_seconds histogram',
      'seat_fair_frac gauge',
      'target_seats gauge',
      'upper_limit_seats gauge',
      'watch_count_samples histogram',
      'work_estimated_seats histogram',
    ]) {
      expect(shown).to.include(`apiserver_flowcontrol_${metric}`);
    }
    expect(shown).to.include.members([
      'apiserver_current_inflight_requests gauge',
      'apiserver_current_inqueue_requests gauge',
    ]);
  });

  it('follows the configuration while it runs', async () => {
    const level = await admin.post(`${flowControl}/prioritylevelconfigurations`, {
      metadata: { name: 'own' },
      spec: { type: 'Limited', limited: { nominalConcurrencyShares: 1, limitResponse: { type: 'Reject' } } },
    });
    const schema = await admin.post(`${flowControl}/flowschemas`, {
      metadata: { name: 'own' },
      spec: {
        priorityLevelConfiguration: { name: 'own' },
        matchingPrecedence: 50,
        rules: [
          {
            subjects: [{ kind: 'User', user: { name: 'quiet' } }],
            nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
          },
        ],
      },
    });
    const own = [schema.body.metadata.uid, level.body.metadata.uid];
    const becomes = async (expected: readonly unknown[]): Promise<void> => {
      for (let tries = 0; ; tries++) {
        const actual = classified(await admin.get('/version', as('quiet')));
        if (actual[0] === expected[0] || tries > 1_000) {
          expect(actual).to.deep.equal(expected);
          return;
        }
        await delay(50);
      }
    };
    await becomes(own);
    expect((await admin.delete(`${flowControl}/prioritylevelconfigurations/own`)).status).to.equal(200);
    await becomes([
      await uidOf('flowschemas', 'global-default'),
      await uidOf('prioritylevelconfigurations', 'global-default'),
    ]);
    const { body } = await admin.until(
      `${flowControl}/flowschemas/own`,
      ({ body: found }) => found.status?.conditions?.[0]?.status === 'True',
    );
    expect(body.status.conditions[0].message).to.equal(
      'This FlowSchema references the PriorityLevelConfiguration object named "own" but there is no such object',
    );
  });
});

describe('limits without priority and fairness', () => {
  it('refuse what is too much and tell no levels', async () => {
    const chain = await startChain({ flags: ['--enable-priority-and-fairness=false', '--max-requests-inflight', '0'] });
    const admin = Client.fromKubeconfig(chain.kubeconfig);
    try {
      const { headers } = await admin.get('/version');
      expect(headers['x-kubernetes-pf-flowschema-uid']).to.equal(undefined);
      const { text } = await admin.get('/readyz?verbose');
      expect(text)
        .to.include('[+]poststarthook/max-in-flight-filter ok')
        .and.not.to.include('priority-and-fairness-filter');
    } finally {
      admin.close();
      await chain.stop();
    }
  });
});
