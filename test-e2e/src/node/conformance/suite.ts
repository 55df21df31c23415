import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute } from '../../harness/run.ts';

/** How one test ended. */
export interface TestResult {
  readonly test: string;
  readonly state: 'passed' | 'failed' | 'skipped';
  readonly seconds: number;
  /** What the test said when it did not pass. */
  readonly reason?: string;
}

export interface SuiteOptions {
  /** The program `e2e.test`. */
  readonly program: string;
  readonly kubectl: string;
  readonly kubeconfig: string;
  /** Where reports and outputs go. */
  readonly folder: string;
}

/** The parts of ginkgo's JSON report that are read here (github.com/onsi/ginkgo/v2 types.Report). */
interface SpecReport {
  readonly ContainerHierarchyTexts: readonly string[] | null;
  readonly LeafNodeType: string;
  readonly LeafNodeText: string;
  readonly State: string;
  readonly RunTime: number;
  readonly Failure?: { readonly Message?: string };
}

const CONFORMANCE = '[Conformance]';

/** Names of all conformance tests, or with `every` of every test that there is, in the suite's order. */
export async function listTests({
  program,
  folder,
  every = false,
}: Pick<SuiteOptions, 'program' | 'folder'> & { readonly every?: boolean }): Promise<string[]> {
  const report = join(folder, 'list.json');
  mkdirSync(folder, { recursive: true });
  await execute(program, [
    '--ginkgo.dry-run',
    ...(every ? [] : [`--ginkgo.focus=${escaped(CONFORMANCE)}`]),
    `--ginkgo.json-report=${report}`,
  ]);
  return specsOf(report)
    .map(nameOf)
    .filter((name) => every || name.includes(CONFORMANCE));
}

/**
 * Runs some tests of the suite, one after another, in a process of their own. Resolves to how each ended; those that it
 * did not come to are not among them.
 */
export async function runTests(
  options: SuiteOptions,
  tests: readonly string[],
  name: string,
): Promise<readonly TestResult[]> {
  const folder = join(options.folder, name);
  mkdirSync(folder, { recursive: true });
  const report = join(folder, 'report.json');
  const focus = tests.map((test) => `--ginkgo.focus=${escaped(test)}$`);
  await execute('sh', [
    '-c',
    'log=$1; shift; exec "$@" >"$log" 2>&1',
    'sh',
    join(folder, 'output.log'),
    options.program,
    ...focus,
    `--ginkgo.json-report=${report}`,
    '--ginkgo.no-color',
    '--ginkgo.timeout=2h',
    '--provider=skeleton',
    `--kubeconfig=${options.kubeconfig}`,
    `--kubectl-path=${options.kubectl}`,
    `--e2e-output-dir=${folder}`,
    '--disable-log-dump',
    '--num-nodes=1',
  ]);
  const wanted = new Set(tests);
  return specsOf(report)
    .filter((spec) => wanted.has(nameOf(spec)))
    .flatMap((spec) => resultOf(spec) ?? []);
}

function specsOf(report: string): readonly SpecReport[] {
  const suites = JSON.parse(readFileSync(report, 'utf8')) as readonly { readonly SpecReports: readonly SpecReport[] }[];
  return suites.flatMap(({ SpecReports }) => SpecReports).filter(({ LeafNodeType }) => LeafNodeType === 'It');
}

function nameOf({ ContainerHierarchyTexts, LeafNodeText }: SpecReport): string {
  return [...(ContainerHierarchyTexts ?? []), LeafNodeText].join(' ');
}

function resultOf(spec: SpecReport): TestResult | undefined {
  const { State, RunTime, Failure } = spec;
  const seconds = Math.round(RunTime / 1e8) / 10;
  const test = nameOf(spec);
  if (State === 'passed') return { test, state: 'passed', seconds };
  if (State === 'pending' || (State === 'skipped' && Failure?.Message === undefined)) return undefined;
  const state = State === 'skipped' ? 'skipped' : 'failed';
  return { test, state, seconds, reason: Failure?.Message ?? State };
}

/** A text as an expression of Go's regexp that matches it. */
function escaped(text: string): string {
  return text.replaceAll(/[\\.+*?()|[\]{}^$]/g, String.raw`\$&`);
}
