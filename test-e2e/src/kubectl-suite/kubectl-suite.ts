import { copyFileSync, cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startChain } from '../harness/chain.ts';
import { goModuleFolder, goTool } from '../harness/go-tools.ts';
import { execute, run } from '../harness/run.ts';

/** What the scripts read of Kubernetes' module. */
const parts = [
  'hack/lib',
  'hack/testdata',
  'test/cmd',
  'test/fixtures',
  'test/e2e/testing-manifests',
  'third_party/forked/shell2junit',
  'api/openapi-spec',
];
/** As the suite starts its own server; admission of webhooks stays. */
const flags = [
  // The scheduler would find no node that is ready.
  '--controllers=*,-kube-scheduler',
  '--authorization-mode=RBAC,AlwaysAllow',
  '--disable-admission-plugins=ServiceAccount,DefaultStorageClass,DefaultTolerationSeconds',
  '--disable-admission-plugins=StorageObjectInUseProtection',
];
/** The whole suite takes some ten minutes. */
const timeoutMs = 3_600_000;

/** How a group of the suite ended. */
export interface GroupOutcome {
  /** Such as `kubectl_apply`. */
  readonly name: string;
  readonly passed: boolean;
}

/** What a run of the suite has shown. */
export interface SuiteOutcome {
  readonly groups: readonly GroupOutcome[];
  /** It came to its end, and nothing between the groups has failed. */
  readonly whole: boolean;
  readonly output: string;
}

/**
 * Runs groups of kubectl's own suite, of Kubernetes' module, against a chain of its own with the controllers here.
 * @param groups such as `kubectl_apply`; none: all
 * @param convert whether kubectl-convert is there, which a group wants
 */
export async function runKubectlSuite(groups: readonly string[], convert: boolean): Promise<SuiteOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'kubechain-kubectl-suite-'));
  try {
    const source = await goModuleFolder('k8s.io/kubernetes');
    for (const part of parts) {
      mkdirSync(join(folder, dirname(part)), { recursive: true });
      cpSync(join(source, part), join(folder, part), { recursive: true });
    }
    // What lies in a module can be neither changed nor run.
    await run('chmod', ['-R', 'u+wx', folder]);
    mkdirSync(join(folder, 'bin'));
    for (const tool of ['kubectl', ...(convert ? (['kubectl-convert'] as const) : [])] as const)
      symlinkSync(await goTool(tool), join(folder, 'bin', tool));
    return await runIn(folder, groups);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runIn(folder: string, groups: readonly string[]): Promise<SuiteOutcome> {
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const tokens = join(folder, 'tokens.csv');
  writeFileSync(tokens, 'admin-token,admin,admin\n', { mode: 0o600 });
  const dataDir = join(folder, 'data');
  const chain = await startChain({ dataDir, flags: [...flags, `--token-auth-file=${tokens}`] });
  try {
    copyFileSync(join(dataDir, 'pki/apiserver.crt'), join(temporary, 'apiserver.crt'));
    const { code, stderr, stdout } = await execute(
      'bash',
      [join(import.meta.dirname, 'run-groups.sh'), folder, ...groups],
      {
        timeoutMs,
        env: {
          HOME: temporary,
          KUBE_JUNIT_REPORT_DIR: join(folder, 'junit'),
          SECURE_API_PORT: String(chain.port),
          TMPDIR: temporary,
        },
      },
    );
    const output = stdout + stderr;
    const failed = new Set(namesIn(output, /^Error when running (\S+)/gm));
    const names = namesIn(output, /^Recording: (\S+)/gm).filter((name) => name !== 'record_command_canary');
    return {
      groups: names.map((name) => ({ name: name.replace(/^run_|_tests?$/g, ''), passed: !failed.has(name) })),
      // It ends with 1 where a group has failed, too: only then is nothing known of what stands between them.
      whole: code === 0 || (failed.size > 0 && /^FAILED TESTS: /m.test(output)),
      output,
    };
  } finally {
    await chain.stop();
  }
}

const namesIn = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, name = '']) => name);
