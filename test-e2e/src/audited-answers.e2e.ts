import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from './harness/chain.ts';
import { Client } from './harness/client.ts';

interface Recorded {
  readonly auditID: string;
  readonly stage: string;
  readonly responseObject?: Readonly<Record<string, unknown>>;
}

const whole = '/api/v1/namespaces/default/configmaps';
const less = '/api/v1/namespaces/kube-public/configmaps';

/** `json` without the managed fields of any object in it. */
function withoutManagedFields(json: string): unknown {
  return JSON.parse(json, (key, value: unknown) => (key === 'managedFields' ? undefined : value));
}

describe('answers in the audit log', function () {
  this.timeout(180_000);
  let chain: Chain;
  let client: Client;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-recorded-'));
    const policy = join(folder, 'policy.json');
    const omitStages = ['RequestReceived'];
    const resources = [{ group: '', resources: ['configmaps'] }];
    writeFileSync(
      policy,
      JSON.stringify({
        kind: 'Policy',
        apiVersion: 'audit.k8s.io/v1',
        rules: [
          { level: 'RequestResponse', resources, namespaces: ['default'], omitStages },
          { level: 'RequestResponse', resources, namespaces: ['kube-public'], omitStages, omitManagedFields: true },
          { level: 'None' },
        ],
      }),
    );
    chain = await startChain({
      flags: [
        `--audit-policy-file=${policy}`,
        `--audit-log-path=${join(folder, 'audit.log')}`,
        '--audit-log-maxsize=0',
      ],
    });
    client = Client.fromKubeconfig(chain.kubeconfig);
    for (const path of [whole, less])
      for (const name of ['a', 'b'])
        await client.post(path, { metadata: { name }, data: { '9': 'x', '10': `<&> é ${'z'.repeat(50_000)}` } });
  });
  after(async () => {
    await chain.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function recorded(path: string, accept: string): Promise<Recorded['responseObject']> {
    const answer = await client.call('GET', path, { headers: { accept } });
    expect(answer.status).to.equal(200);
    const auditID = answer.headers['audit-id'];
    for (let tries = 0; tries < 600; tries++) {
      const line = readFileSync(join(folder, 'audit.log'), 'utf8')
        .split('\n')
        .slice(0, -1)
        .find((each) => each.includes(`"auditID":"${String(auditID)}"`));
      if (line !== undefined) return (JSON.parse(line) as Recorded).responseObject;
      await new Promise((go) => setTimeout(go, 100));
    }
    throw new Error(`nothing is recorded of ${path}`);
  }

  const table = 'application/json;as=Table;g=meta.k8s.io;v=v1';
  const rows: readonly (readonly [name: string, suffix: string, sent: string, as: string])[] = [
    ['a list', '', 'application/json', 'application/json'],
    ['a list that is sent as YAML', '', 'application/yaml', 'application/json'],
    ['a list that is sent in protobuf', '', 'application/vnd.kubernetes.protobuf', 'application/json'],
    ['a list that is sent indented', '?pretty=1', 'application/json', 'application/json'],
    ['a table', '', table, table],
    ['a table with objects', '?includeObject=Object', table, table],
    ['metadata', '', 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1', ''],
    ['an object', '/a', 'application/json', 'application/json'],
    ['an object that is sent as YAML', '/a', 'application/yaml', 'application/json'],
    ['an object that is sent in protobuf', '/a', 'application/vnd.kubernetes.protobuf', 'application/json'],
    ['a table of one object', '/a?includeObject=Object', table, table],
    ['the metadata of one', '/a', 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1', ''],
  ];
  for (const [name, suffix, sent, as] of rows)
    it(`are what was answered, with and without managed fields: ${name}`, async () => {
      for (const path of [whole, less]) {
        const kept = await recorded(`${path}${suffix}`, sent);
        const { text } = await client.call('GET', `${path}${suffix}`, { headers: { accept: as === '' ? sent : as } });
        const right = path === whole ? (JSON.parse(text) as unknown) : withoutManagedFields(text);
        // Rows have ages, and lists the revision that they are of, which the leases of servers move.
        const still = (object: unknown): unknown =>
          JSON.parse(
            JSON.stringify(object, (key, value: unknown) =>
              key === 'resourceVersion' || key === 'cells' ? 'any' : value,
            ),
          );
        expect(still(kept)).to.deep.equal(still(right));
        expect(JSON.stringify(kept).includes('managedFields')).to.equal(
          path === whole && text.includes('managedFields'),
        );
      }
    });

  it('are in it when they have ended', async () => {
    for (let tries = 0; tries < 20; tries++) {
      const { headers, status } = await client.call('GET', `${whole}/a`);
      expect(status).to.equal(200);
      expect(readFileSync(join(folder, 'audit.log'), 'utf8')).to.include(`"auditID":"${String(headers['audit-id'])}"`);
    }
  });

  it('are all there of long lists that come at once', async () => {
    const data = { a: 'x'.repeat(1_000_000) };
    for (let i = 0; i < 20; i++)
      expect((await client.post(whole, { metadata: { name: `large-${i}` }, data })).status).to.equal(201);
    const answers = await Promise.all(Array.from({ length: 5 }, () => client.get(whole)));
    let missing = answers.map(({ headers }) => String(headers['audit-id']));
    for (let tries = 0; missing.length > 0 && tries < 120; tries++) {
      await new Promise((go) => setTimeout(go, 500));
      const lines = readFileSync(join(folder, 'audit.log'), 'utf8').split('\n').slice(0, -1);
      missing = missing.filter((id) => !lines.some((line) => line.slice(0, 200).includes(id)));
      if (missing.length > 0) continue;
      const last = lines.find((line) => line.slice(0, 200).includes(String(answers[4]?.headers['audit-id'])));
      expect((JSON.parse(last ?? '') as Recorded).responseObject).to.deep.equal(answers[4]?.body);
    }
    expect(missing).to.deep.equal([]);
  });
});
