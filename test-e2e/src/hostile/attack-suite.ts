import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChain, type Chain } from '../harness/chain.ts';
import { pidOf } from '../harness/process-of.ts';
import { answerOf, readAnswers, type Answer } from './answers.ts';
import { Bystander } from './bystander.ts';
import { clear } from './clear.ts';
import type { Progress } from './controller-progress.ts';
import { differences } from './differences.ts';
import { reset } from './reset.ts';
import { administrator, eve, giveRights, tokensFile } from './rights.ts';
import type { HostileRow } from './row.ts';
import { Target } from './target.ts';

const processes = ['etcd', 'aggregator', 'kube-apiserver', 'apiextensions'] as const;
/** Of what the chain has said, in characters, where a process is lost. */
const outputShown = 4_000;
/** Nobody else may wait longer, on a machine that has nothing else to do. */
const patienceMs = Number(process.env['KUBECHAIN_HOSTILE_PATIENCE_MS'] ?? 1_000);
/** Controllers may not take longer for somebody else. */
const progressMs = 10 * patienceMs;

/** A chain that is attacked, and by what. */
export interface AttackSuiteOptions {
  readonly rows: readonly HostileRow[];
  /** Further flags of `kubechain up`; the folder lives as long as the chain. */
  readonly flags?: (folder: string) => readonly string[] | Promise<readonly string[]>;
  /** Rows that are about what the one before them has left. Default: none. */
  readonly followUps?: ReadonlySet<string>;
  /** Rows that may be answered with 500 all the same, and why. Default: none. */
  readonly failures?: ReadonlyMap<string, string>;
  /** Controllers that run beside the servers, as `--controllers`; what they do for others is looked at. Default: none. */
  readonly controllers?: string;
  /** Whether it is all one process, of which there is no pid but the command's. */
  readonly allInOne?: boolean;
  /** Whether answers have to be those that kube-apiserver gave, or those of `differences`. Default: they may not fail. */
  readonly compared?: boolean;
  /** Answers that are right here as well, by row. Default: none. */
  readonly alsoRight?: ReadonlyMap<string, Answer>;
}

/** What suites look at beside what each row does. */
export interface AttackedChain {
  chain(): Chain;
  /** Where flags may have had something written. */
  folder(): string;
}

/**
 * Describes a suite that fires rows at a chain of its own: nobody else waits for long, nothing fails that does not fail
 * in kube-apiserver, and no process is lost. `more` adds what is to be looked at when all were fired.
 */
export function attackSuite(
  title: string,
  {
    allInOne = false,
    alsoRight = new Map(),
    compared = false,
    controllers = '',
    failures = new Map(),
    flags = () => [],
    followUps = new Set(),
    rows,
  }: AttackSuiteOptions,
  more?: (attacked: AttackedChain) => void,
): void {
  const answers = readAnswers();
  describe(title, function () {
    this.timeout(300_000);
    let chain: Chain;
    let folder: string;
    let bystander: Bystander;
    let pids: readonly number[];
    const controlled = controllers !== '';
    const running = controlled ? ([...processes, 'controllers'] as const) : processes;
    const runningPids = (): readonly number[] => (allInOne ? [] : running.map((name) => pidOf(chain.dataDir, name)));
    const resetBefore = async (row: HostileRow): Promise<void> => {
      if (compared || followUps.has(row.name)) return;
      const target = new Target(chain.port, administrator);
      await (controlled ? clear(target) : reset(target));
    };

    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'kubechain-attacks-'));
      const tokens = join(folder, 'tokens.csv');
      writeFileSync(tokens, tokensFile, { mode: 0o600 });
      const further = [...(controlled ? [`--controllers=${controllers}`] : []), ...(await flags(folder))];
      chain = await startChain({ flags: [`--token-auth-file=${tokens}`, ...further] });
      await giveRights(new Target(chain.port, administrator));
      bystander = new Bystander(chain.kubeconfig, { controlled });
      pids = runningPids();
    });
    after(async () => {
      await bystander?.stop();
      await chain?.stop();
      rmSync(folder, { recursive: true, force: true });
    });

    it('have names of their own', () => {
      const names = rows.map(({ name }) => name);
      expect(new Set(names).size).to.equal(names.length);
      expect([...followUps, ...failures.keys()].filter((name) => !names.includes(name))).to.deep.equal([]);
    });

    for (const row of rows)
      it(row.name, async () => {
        await resetBefore(row);
        let slowestMs = Infinity;
        let slowestProgress: Progress = { what: 'nothing', ms: 0 };
        // What only the machine was too busy for is not slow each time.
        for (let tries = 0; tries < 3 && (slowestMs > patienceMs || slowestProgress.ms > progressMs); tries++) {
          if (tries > 0 && controlled) await resetBefore(row);
          await bystander.take();
          const outcome = await row.fire(new Target(chain.port, row.as === 'user' ? eve : ''));
          const { statuses, text } = outcome;
          const failed = statuses.filter((status) => status >= 500 && status !== 501 && status !== 504);
          // What is larger than the store takes is a 500 of kube-apiserver over etcd as well.
          const allowed = failures.has(row.name) || /message larger than max|request is too large/.test(text);
          if (compared && row.compared !== false && tries === 0) {
            const right = [...(differences.get(row.name)?.answers ?? [answers[row.name]]), alsoRight.get(row.name)];
            expect(right, `${JSON.stringify(answerOf(outcome))} of ${text}`).to.deep.include(answerOf(outcome));
          } else if (!allowed) expect(failed, text).to.deep.equal([]);
          await new Promise((resolve) => setTimeout(resolve, 60));
          const { problems, progress, slowestMs: waitedMs } = await bystander.take();
          slowestMs = waitedMs;
          slowestProgress = progress ?? slowestProgress;
          expect(runningPids(), chain.output().slice(-outputShown)).to.deep.equal(pids);
          expect(problems, chain.output()).to.deep.equal([]);
        }
        expect(slowestMs, 'milliseconds that somebody else waited').to.be.at.most(patienceMs);
        const { ms, what } = slowestProgress;
        expect(ms, `milliseconds that somebody else waited for ${what}`).to.be.at.most(progressMs);
      });

    more?.({ chain: () => chain, folder: () => folder });
  });
}
