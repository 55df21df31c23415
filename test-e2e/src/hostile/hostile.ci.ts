import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { pidOf } from '../harness/process-of.ts';
import { answerOf, readAnswers } from './answers.ts';
import { Bystander } from './bystander.ts';
import { differences } from './differences.ts';
import { administrator, eve, giveRights, tokensFile } from './rights.ts';
import { ciRows } from './rows.ts';
import { Target } from './target.ts';

const answers = readAnswers();
const processes = ['etcd', 'aggregator', 'kube-apiserver', 'apiextensions'] as const;
/** Nobody else may wait longer. */
const patienceMs = 1_000;

describe('hostile requests', function () {
  this.timeout(120_000);
  let chain: Chain;
  let folder: string;
  let bystander: Bystander;
  let pids: readonly number[];
  const targets = { user: undefined as unknown as Target, nobody: undefined as unknown as Target };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-hostile-'));
    const tokens = join(folder, 'tokens.csv');
    writeFileSync(tokens, tokensFile, { mode: 0o600 });
    chain = await startChain({ flags: [`--token-auth-file=${tokens}`] });
    await giveRights(new Target(chain.port, administrator));
    targets.user = new Target(chain.port, eve);
    targets.nobody = new Target(chain.port, '');
    bystander = new Bystander(chain.kubeconfig);
    pids = processes.map((name) => pidOf(chain.dataDir, name));
  });
  after(async () => {
    await bystander?.stop();
    await chain?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('are 80 and more', () => {
    expect(ciRows.length).to.be.greaterThan(80);
    expect(new Set(ciRows.map(({ name }) => name)).size).to.equal(ciRows.length);
  });

  for (const row of ciRows)
    it(row.name, async () => {
      let slowestMs = Infinity;
      // What only the machine was too busy for is not slow each time.
      for (let tries = 0; tries < 4 && slowestMs > patienceMs; tries++) {
        await bystander.take();
        const outcome = await row.fire(targets[row.as]);
        // What a first try has made is there when it is fired again.
        if (tries > 0) expect(outcome.statuses.filter((status) => status === 502 || status === 503)).to.deep.equal([]);
        else {
          const right = differences.get(row.name)?.answers ?? [answers[row.name]];
          expect(right, `${JSON.stringify(answerOf(outcome))} of ${outcome.text}`).to.deep.include(answerOf(outcome));
        }
        if (row.name.startsWith('HTTP/2')) {
          // Nor may it take the places of others that are not exempt from flow control.
          const next = await targets.user.http2([{ path: '/version' }]);
          expect(next.statuses, 'the user, afterwards').to.deep.equal([200]);
        }
        // A question that is waiting still is counted when it is answered.
        await new Promise((resolve) => setTimeout(resolve, 60));
        const { problems, slowestMs: waitedMs } = await bystander.take();
        slowestMs = waitedMs;
        expect(problems, chain.output()).to.deep.equal([]);
      }
      expect(slowestMs, 'milliseconds that somebody else waited').to.be.lessThan(patienceMs);
      expect(processes.map((process) => pidOf(chain.dataDir, process))).to.deep.equal(pids);
    });

  it('differ from the reference only where a reason is given', () => {
    for (const [name, { answers: here, why }] of differences) {
      expect(answers, name).to.have.property(name);
      expect(here, name).to.not.deep.equal([answers[name]]);
      expect(why, name).to.not.equal('');
    }
  });

  it('give nobody rights that are not theirs', async () => {
    const asked = ['X-Remote-User', 'X-Remote-Group', 'X-Kubechain-Identity', 'Impersonate-User'].map((header) => ({
      path: '/api/v1/secrets',
      headers: { [header.toLowerCase()]: header.endsWith('Group') ? 'system:masters' : 'kubernetes-admin' },
    }));
    expect((await targets.user.http2(asked)).statuses).to.deep.equal([403, 403, 403, 403]);
  });
});
