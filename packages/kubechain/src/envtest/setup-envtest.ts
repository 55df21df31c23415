import { accessSync, chmodSync, constants, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, extname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledPrograms } from '../bundle/bundled-programs.ts';
import { LaunchError } from '../launch-error.ts';
import { builtProgram } from '../programs/built-programs.ts';
import { KUBERNETES_VERSION } from './version.ts';

export interface SetupEnvtestOptions {
  readonly action: string;
  readonly version: string | undefined;
  /** `overview`, `path`, `env` or `json`. */
  readonly print: string;
  readonly binDir: string | undefined;
  readonly write: (text: string) => void;
}

const PROGRAMS = ['kube-apiserver', 'etcd'] as const;

/**
 * Does what setup-envtest does, without downloads: makes a folder of programs named as envtest wants them, and prints
 * it. Resolves to the exit code. @throws LaunchError `Usage`
 */
export function setupEnvtest({ action, binDir, print, version, write }: SetupEnvtestOptions): number {
  const folder = join(
    resolve(binDir ?? join(cacheFolder(), 'kubechain', 'envtest')),
    // As setup-envtest has it: projects and ports look for it there.
    'k8s',
    `${KUBERNETES_VERSION}-${platform()}`,
  );
  switch (action) {
    case 'version':
      write(`setup-envtest version: kubechain, Kubernetes ${KUBERNETES_VERSION}\n`);
      return 0;
    case 'cleanup':
      rmSync(folder, { recursive: true, force: true });
      return 0;
    case 'list':
      write(`(installed)  v${KUBERNETES_VERSION}  ${platform()}\n`);
      return 0;
    case 'use':
      checkVersion(version);
      makePrograms(folder);
      write(printed(folder, print));
      return 0;
    default:
      throw new LaunchError(
        'Usage',
        `unknown action ${JSON.stringify(action)}: there is use, list, cleanup and version`,
      );
  }
}

function platform(): string {
  return `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
}

function cacheFolder(): string {
  return process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache');
}

/** `1.36`, `1.36.x`, `1.36.x!`, `~1.36.0`, `latest`, or nothing: what there is must fit. */
function checkVersion(version: string | undefined): void {
  if (version === undefined || version.startsWith('latest')) return;
  const [major, minor] = KUBERNETES_VERSION.split('.');
  const [, wantedMajor, wantedMinor = 'x'] = /^[v~]?(\d+)(?:\.(\d+|x|\*))?/.exec(version) ?? [];
  if (wantedMajor !== major || ![minor, 'x', '*'].includes(wantedMinor))
    throw new LaunchError('Usage', `no version ${version}: this is Kubernetes ${KUBERNETES_VERSION}`);
}

function makePrograms(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const name of PROGRAMS) {
    const main = programOf(name);
    const quoted = [process.execPath, '--disable-warning=ExperimentalWarning', main].map(
      (text) => `'${text.replaceAll("'", "'\\''")}'`,
    );
    const file = join(folder, name);
    writeFileSync(file, `#!/bin/sh\nexec ${quoted.join(' ')} "$@"\n`);
    chmodSync(file, 0o755);
  }
  const kubectl = findOnPath('kubectl');
  const link = join(folder, 'kubectl');
  if (kubectl === undefined || resolve(kubectl) === link) return;
  rmSync(link, { force: true });
  symlinkSync(kubectl, link);
}

function programOf(name: (typeof PROGRAMS)[number]): string {
  const built = builtProgram(`envtest-${name}`);
  if (built !== undefined) return built;
  const source = fileURLToPath(new URL(`./${name}-main${extname(import.meta.url)}`, import.meta.url));
  return bundledPrograms()?.get(source) ?? source;
}

function findOnPath(name: string): string | undefined {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        if (!existsSync(file)) return false;
        accessSync(file, constants.X_OK);
        return true;
      } catch {
        return false;
      }
    });
}

function printed(folder: string, print: string): string {
  switch (print) {
    case 'path':
      // Without a line's end, as setup-envtest has it.
      return folder;
    case 'env':
      return `export KUBEBUILDER_ASSETS='${folder.replaceAll("'", `'"'"'`)}'\n`;
    case 'json':
      return `${JSON.stringify({ version: KUBERNETES_VERSION, platform: platform(), path: folder })}\n`;
    default:
      return `Version: ${KUBERNETES_VERSION}\nOS/Arch: ${platform().replace('-', '/')}\nPath: ${folder}\n`;
  }
}
