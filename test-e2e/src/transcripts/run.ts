// Starts a fresh chain and replays recorded transcripts of kube-apiserver 1.36 against it.
// npm run transcripts -- [AREA…] [--only REGEX] [--verbose] [--max-diffs N] [--etcd-servers URL] [--all-in-one]
// [--release RELEASE | --check | --update-baseline]
// --all-in-one replays against the servers in this process, instead of one each.
// --release replays against servers of another release, with its answers (record-release.ts).
// --check fails when a transcript listed in baseline.json no longer passes whole; --update-baseline rewrites that list.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startAllInOne } from 'kubechain/all-in-one';
import { startChain } from '../harness/chain.ts';
import { differencesOf, isShiftOfRevisions } from './differences.ts';
import { answersFile, writeTranscripts } from './release-answers.ts';
import type { ReleaseAnswers } from './release-answers.ts';

const fixtures = join(import.meta.dirname, '../../transcripts');
const baselineFile = join(fixtures, 'baseline.json');
const readme = join(import.meta.dirname, '../../../README.md');

interface Row {
  readonly name: string;
  readonly area: string;
  readonly passed: number;
  readonly failed: number;
}

const areas: string[] = [];
const replayFlags: string[] = [];
const chainFlags: string[] = [];
let allInOne = false;
let release: string | undefined;
let mode: 'report' | 'check' | 'update' = 'report';
for (let i = 2; i < process.argv.length; i++) {
  const argument = process.argv[i] as string;
  if (argument === '--check') mode = 'check';
  else if (argument === '--update-baseline') mode = 'update';
  else if (argument === '--all-in-one') allInOne = true;
  else if (argument === '--release') release = process.argv[++i] ?? fail('--release needs a release');
  else if (argument === '--verbose') replayFlags.push(argument);
  else if (argument === '--only' || argument === '--max-diffs') replayFlags.push(argument, process.argv[++i] ?? '');
  else if (argument === '--etcd-servers') chainFlags.push(argument, process.argv[++i] ?? '');
  else if (argument.startsWith('-')) fail(`unknown option ${argument}`);
  else if (!existsSync(join(fixtures, argument)) || !statSync(join(fixtures, argument)).isDirectory())
    fail(`unknown area ${argument}`);
  else areas.push(argument);
}
if (areas.length === 0)
  areas.push(
    ...readdirSync(fixtures, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && entry.name !== 'certs')
      .map((entry) => entry.name)
      .sort(),
  );

if (release !== undefined && mode !== 'report') fail('the list of those that must pass is of 1.36');
if (release !== undefined) chainFlags.push(`--kubernetes-version=${release}`);
const written = release === undefined ? undefined : answersOf(release);

/** A folder of areas with the answers of a release, to be removed. */
function answersOf(version: string): string {
  const file = answersFile(version);
  if (!existsSync(file)) fail(`no answers of ${version} in ${file}`);
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-release-answers-'));
  const answers = JSON.parse(readFileSync(file, 'utf8')) as ReleaseAnswers;
  writeTranscripts(areas, { answers, fixtures, folder });
  return folder;
}

function fail(message: string): never {
  console.error(`transcripts: ${message}`);
  process.exit(2);
}

/** Servers to replay against. */
async function start(flags: readonly string[]): Promise<{ readonly url: string; stop(): Promise<unknown> }> {
  if (!allInOne) return startChain({ flags });
  const cluster = await startAllInOne({ flags });
  return { url: cluster.url, stop: () => cluster.close() };
}

/** Replays on a fresh chain; resolves to what passed and to the report, which is printed too unless `quiet`. */
async function replay(
  folders: readonly string[],
  flags: readonly string[],
  { quiet }: { readonly quiet: boolean },
): Promise<{ readonly rows: readonly Row[]; readonly report: string; readonly exitCode: number }> {
  const summaryFolder = mkdtempSync(join(tmpdir(), 'kubechain-transcripts-'));
  const summaryFile = join(summaryFolder, 'summary.json');
  const chain = await start([
    '--token-auth-file',
    join(fixtures, 'tokens.csv'),
    '--authorization-mode',
    'Node,RBAC',
    '--service-cluster-ip-range',
    '10.0.0.0/24',
    '--allow-privileged=true',
    '--service-account-issuer',
    'https://kubernetes.default.svc',
    '--enable-aggregator-routing=true',
    ...chainFlags,
  ]);
  try {
    let report = '';
    const exitCode = await new Promise<number>((resolve, reject) => {
      const child = spawn(
        process.execPath,
        [
          join(fixtures, 'replay.mjs'),
          '--server',
          chain.url,
          '--summary',
          summaryFile,
          ...flags,
          ...folders.map((area) => join(written ?? fixtures, area)),
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      );
      child.stdout.on('data', (chunk: Buffer) => {
        if (quiet) report += chunk.toString('utf8');
        else process.stdout.write(chunk);
      });
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 1));
    });
    return { rows: JSON.parse(readFileSync(summaryFile, 'utf8')) as Row[], report, exitCode };
  } finally {
    await chain.stop();
    rmSync(summaryFolder, { recursive: true });
  }
}

// A check tells only what was lost, with all differences; everything else is in the report of a run without it.
const first = await replay(areas, mode === 'check' ? [...replayFlags, '--max-diffs', '1000'] : replayFlags, {
  quiet: mode === 'check',
});
if (written !== undefined) rmSync(written, { recursive: true });
const { rows } = first;
let { exitCode } = first;
const passing = rows.filter((row) => row.failed === 0).map((row) => row.name);
const baseline = existsSync(baselineFile) ? (JSON.parse(readFileSync(baselineFile, 'utf8')) as string[]) : [];
if (mode === 'update') {
  const replayed = new Set(rows.map((row) => row.name));
  writeFileSync(
    baselineFile,
    `${JSON.stringify([...baseline.filter((name) => !replayed.has(name)), ...passing].sort(), null, 1)}\n`,
  );
  writeFileSync(readme, withTable(readFileSync(readme, 'utf8'), rows));
  exitCode = 0;
} else if (mode === 'check') {
  const failing = new Set(rows.filter((row) => row.failed > 0).map((row) => row.name));
  const replayed = new Set(rows.map((row) => row.name));
  const expected = baseline.filter((name) => replayed.has(name));
  const lost: string[] = [];
  for (const name of expected)
    if (failing.has(name) && (await isLost(name, differencesOf(name, first.report)))) lost.push(name);
  const better = passing.filter((name) => !baseline.includes(name));
  if (better.length > 0) console.log(`newly passing (--update-baseline keeps them): ${better.join(', ')}`);
  console.log(`of ${rows.length} transcripts ${passing.length} pass whole; ${expected.length} must`);
  console.log(`${expected.length - lost.length} passed, ${lost.length} failed`);
  exitCode = lost.length > 0 || expected.length === 0 ? 1 : 0;
}
process.exitCode = exitCode;

/**
 * Whether a transcript fails for another reason than chance. The server renews two leases every ten seconds, and so
 * does the reference: one that falls between a write and a list makes the list's resourceVersion newer than the
 * write's, which moves the placeholders of all that follow. When nothing else differs, a replay by itself, which
 * takes a second, tells.
 */
async function isLost(name: string, differences: string): Promise<boolean> {
  for (let attempt = 1, shown = differences; ; attempt++) {
    console.error(shown.split('\n').slice(0, 40).join('\n'));
    if (attempt > 3 || !isShiftOfRevisions(shown)) return true;
    console.error(`${name}: only resourceVersions differ; again`);
    const { rows: again, report } = await replay(
      areas,
      ['--only', `^${name.replaceAll(/[^\w-]/g, '\\$&')}$`, '--max-diffs', '1000'],
      { quiet: true },
    );
    if (again.length === 1 && again[0]?.failed === 0) return false;
    shown = differencesOf(name, report);
  }
}

/** The README with the figures of the areas that were replayed, between its markers. */
function withTable(text: string, replayed: readonly Row[]): string {
  const start = '<!-- transcripts -->\n';
  const end = '<!-- /transcripts -->';
  const [before = '', rest = ''] = text.split(start);
  const [table = '', after = ''] = rest.split(end);
  const lines = new Map(
    table
      .trim()
      .split('\n')
      .slice(2)
      .map((line) => [line.split('|')[1]?.trim() ?? '', line]),
  );
  for (const [area, rowsOfArea] of Map.groupBy(replayed, (row) => row.area)) {
    const passed = rowsOfArea.reduce((sum, row) => sum + row.passed, 0);
    const all = rowsOfArea.reduce((sum, row) => sum + row.passed + row.failed, 0);
    lines.set(
      area,
      `| ${area} | ${rowsOfArea.filter((row) => row.failed === 0).length} of ${rowsOfArea.length} | ${passed} ` +
        `of ${all} (${Math.floor((100 * passed) / all)} %) |`,
    );
  }
  return (
    `${before}${start}| area | transcripts that pass whole | steps that pass ` +
    `|\n|---|---|---|\n${[...lines.values()].sort().join('\n')}\n${end}${after}`
  );
}
