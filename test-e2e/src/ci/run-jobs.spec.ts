import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CANNOT, type Job, type Outcome } from './job.ts';
import { chosen } from './next-job.ts';
import { runJobs } from './run-jobs.ts';

describe('running CI jobs', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'kubechain-ci-spec-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const shell = (name: string, script: string, more: Partial<Job> = {}): Job => ({
    name,
    command: ['sh', '-c', script],
    ...more,
  });
  const printed = new Map<string, string>();
  const run = (
    jobs: readonly Job[],
    more: { readonly timeoutMs?: number; readonly signal?: AbortSignal } = {},
  ): Promise<readonly Outcome[]> =>
    runJobs(jobs, {
      cwd: folder,
      capacity: 2,
      logFolder: folder,
      signal: new AbortController().signal,
      ...more,
      onEnd: ({ job }, logFile) => {
        if (logFile !== undefined) printed.set(job.name, readFileSync(logFile, 'utf8'));
      },
    });
  const kinds = (outcomes: readonly Outcome[]): unknown =>
    Object.fromEntries(
      outcomes.map(({ job, kind, reason }) => [job.name, reason === undefined ? kind : `${kind}: ${reason}`]),
    );

  it('tells how each ended and what it printed, and goes on after a failure', async () => {
    const outcomes = await run([
      shell('good', 'echo out; echo err >&2'),
      shell('bad', 'echo why; exit 3'),
      shell('later', 'true', { needs: ['bad'] }),
      shell('killed', 'kill -TERM $$'),
    ]);
    expect(kinds(outcomes)).to.deep.equal({
      good: 'passed',
      bad: 'failed: exit code 3',
      later: 'not run: it needs bad',
      killed: 'failed: killed by SIGTERM',
    });
    expect([printed.get('good')?.split('\n').sort(), printed.get('bad')]).to.deep.equal([['', 'err', 'out'], 'why\n']);
  });

  it('leaves out what the machine cannot do, and fails where it cannot be asked', async () => {
    const outcomes = await run([
      shell('cannot', `exit ${CANNOT}`, { asks: true }),
      shell('built for it', 'true', { needs: ['cannot'] }),
      shell('tests', 'true', { needs: ['built for it'] }),
      shell('missing', 'exit 1', { asks: true }),
      shell('no question', `exit ${CANNOT}`),
    ]);
    expect(kinds(outcomes)).to.deep.equal({
      cannot: 'left out: this machine cannot',
      'built for it': 'left out: it needs cannot',
      tests: 'left out: it needs built for it',
      missing: 'failed: exit code 1',
      'no question': `failed: exit code ${CANNOT}`,
    });
    expect(outcomes.reduce((sum, { failed }) => sum + failed, 0)).to.equal(2);
  });

  it('fails a program that is not there, and one whose tests fail or are missing whatever its exit code', async () => {
    const none: Job = { name: 'none', command: ['./no-such-program'] };
    const outcomes = await run([
      none,
      shell('lost', 'echo "3 passed, 1 failed"', { counts: 'transcripts' }),
      shell('empty', 'true', { counts: 'mocha' }),
    ]);
    expect(
      outcomes.map(({ job, kind, passed, failed }) => `${job.name} ${kind} ${passed} ${failed}`).sort(),
    ).to.deep.equal(['empty failed 0 1', 'lost failed 3 1', 'none failed 0 1']);
  });

  it('runs a job once what it needs has passed, and tries again what may', async () => {
    const outcomes = await run([
      shell('second', 'test -f first', { needs: ['first'] }),
      shell('first', 'echo try >> tries; test $(wc -l < tries) = 2 && touch first', { attempts: 3 }),
    ]);
    expect(kinds(outcomes)).to.deep.equal({ first: 'passed', second: 'passed' });
  });

  it('runs the files whose tests have failed once more, and says which', async () => {
    const script = (text: string): string => `echo "  8 passing"; ${text}`;
    const failing = script('echo "  2 failing"; echo a.ts > $KUBECHAIN_FAILED_FILES; false');
    const again =
      (text: string) =>
      (files: readonly string[]): Job['command'] => ['sh', '-c', text, 'sh', ...files];
    const outcomes = await run([
      shell('mended', failing, { counts: 'mocha', again: again('test $1 = a.ts && echo "  9 passing"') }),
      shell('broken', failing, { counts: 'mocha', again: again('echo "  1 passing"; echo "  1 failing"; false') }),
      shell('not come to', failing, { counts: 'mocha', runs: 2, again: again('echo "  9 passing"') }),
      shell('died', script('false'), { counts: 'mocha', again: again('echo "  9 passing"') }),
    ]);
    expect(
      outcomes
        .map(({ job, kind, passed, failed, triedAgain }) => [job.name, kind, passed, failed, triedAgain] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ).to.deep.equal([
      ['broken', 'failed', 9, 1, ['a.ts']],
      ['died', 'failed', 8, 1, undefined],
      ['mended', 'passed', 10, 0, ['a.ts']],
      ['not come to', 'failed', 8, 2, undefined],
    ]);
  });

  it('kills what takes too long, with all that it started', async () => {
    const outcomes = await run([shell('slow', '(sleep 30; echo never > late) & echo $! > child; wait')], {
      timeoutMs: 500,
    });
    expect(kinds(outcomes)).to.deep.equal({ slow: 'failed: took longer than 0.5 s' });
    const child = Number(readFileSync(join(folder, 'child'), 'utf8'));
    const state = (): string => {
      try {
        return readFileSync(`/proc/${child}/stat`, 'utf8').split(' ')[2] ?? '';
      } catch {
        return 'gone';
      }
    };
    for (const deadline = Date.now() + 5_000; !['gone', 'Z'].includes(state()) && Date.now() < deadline;)
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect(state()).to.be.oneOf(['gone', 'Z']);
  });

  it('ends at once when it is interrupted', async () => {
    const outcomes = await run([shell('running', 'sleep 30'), shell('waiting', 'true', { needs: ['running'] })], {
      signal: AbortSignal.timeout(200),
    });
    expect(kinds(outcomes)).to.deep.equal({ running: 'failed: interrupted', waiting: 'not run: it needs running' });
  });

  it('knows jobs that can never begin', async () => {
    expect(kinds(await run([shell('a', 'true', { needs: ['nowhere'] })]))).to.deep.equal({
      a: 'not run: it could never begin',
    });
  });

  it('leaves out what was not asked for, but for what is needed', () => {
    const jobs = [
      shell('far', '', {}),
      shell('near', '', { needs: ['far'] }),
      shell('other', ''),
      shell('wanted', '', { needs: ['near'] }),
    ];
    expect(chosen(jobs, /want/).map(({ name }) => name)).to.deep.equal(['far', 'near', 'wanted']);
  });
});
