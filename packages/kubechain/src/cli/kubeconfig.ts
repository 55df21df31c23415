import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { messageOf } from '@kubechain/apimachinery/message-of';
import { LaunchError } from '../launch-error.ts';
import { locateDataDir } from '../data-dir/data-dir.ts';
import { writePrivateFile } from '../pki/key-pair-files.ts';
import type { Output } from './output.ts';

type Named = { readonly name: string };
interface Kubeconfig {
  clusters?: Named[];
  users?: Named[];
  contexts?: (Named & { readonly context: { readonly cluster: string; readonly user: string } })[];
  'current-context'?: string;
}

/** Prints the kubeconfig of a data directory. */
export function kubeconfig(dataDir: string, output: Output): number {
  const { file, text } = read(dataDir);
  output.result({ kubeconfig: file, content: parse(text) as unknown }, () => [text.trimEnd()]);
  return 0;
}

/**
 * Puts a cluster, a user and a context into the user's own kubeconfig (the first of KUBECONFIG, or ~/.kube/config), all
 * of one name and in place of those of that name, and makes the context the current one. All else stays.
 */
export function mergeKubeconfig(dataDir: string, output: Output, name: string): number {
  const own = renamed(parse(read(dataDir).text) as Kubeconfig, name);
  const target = realPath((process.env['KUBECONFIG'] ?? '').split(':')[0] || join(homedir(), '.kube/config'));
  const theirs = existsSync(target) ? readKubeconfig(target) : {};
  const merged = {
    apiVersion: 'v1',
    kind: 'Config',
    ...theirs,
    clusters: merge(theirs.clusters, own.clusters),
    users: merge(theirs.users, own.users),
    contexts: merge(theirs.contexts, own.contexts),
    'current-context': own['current-context'],
  };
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  writePrivateFile(target, stringify(merged));
  output.result({ kubeconfig: target, context: merged['current-context'] }, () => [
    `context ${merged['current-context']} is now current in ${target}`,
  ]);
  return 0;
}

/** The users of other clusters are called `kubernetes-admin` as well: kubeadm's are. */
function renamed({ clusters = [], users = [] }: Kubeconfig, name: string): Kubeconfig {
  return {
    clusters: clusters.map((cluster) => ({ ...cluster, name })),
    users: users.map((user) => ({ ...user, name })),
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
}

/** Where a file is that may be a link, or not be there: what is written beside it takes its place. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : resolve(path);
}

/** @throws LaunchError for a file that is no YAML: it is left as it is */
function readKubeconfig(file: string): Kubeconfig {
  try {
    return (parse(readFileSync(file, 'utf8')) as Kubeconfig | null) ?? {};
  } catch (cause) {
    const [line] = messageOf(cause).split('\n', 1);
    throw new LaunchError('Usage', `cannot read '${file}': ${line}`, { cause });
  }
}

function read(dataDir: string): { readonly file: string; readonly text: string } {
  const { kubeconfig: file, root } = locateDataDir(dataDir);
  if (!existsSync(file)) throw new LaunchError('DataDir', `no kubeconfig in '${root}': kubechain up makes it`);
  return { file, text: readFileSync(file, 'utf8') };
}

function merge<T extends Named>(theirs: readonly T[] = [], own: readonly T[] = []): T[] {
  return [...theirs.filter(({ name }) => !own.some((one) => one.name === name)), ...own];
}
