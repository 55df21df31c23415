import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, readlinkSync, statSync, symlinkSync } from 'node:fs';
import { dirname, join, matchesGlob, posix } from 'node:path';
import { run } from './run.ts';

/** What a Dockerfile's last stage says of itself. */
export interface BuiltImage {
  /** Its root directory, without the base image's files. */
  readonly root: string;
  readonly workdir: string;
  readonly user: string;
  readonly env: Readonly<Record<string, string>>;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
  readonly volumes: readonly string[];
}

interface Stage {
  readonly root: string;
  workdir: string;
  user: string;
  command: readonly string[];
  healthCheck: readonly string[];
  readonly env: Record<string, string>;
  readonly labels: Record<string, string>;
  readonly volumes: string[];
}

/** What may stand for base images here: this Node. */
const BASES: readonly string[] = ['node:24-slim'];

/**
 * Follows a Dockerfile without Docker: the same copies into clean directories, the same commands in them, with the Node
 * that runs this in the place of the base image's. Arguments have their defaults. What it does not know is an error.
 */
export async function buildImage(context: string, folder: string): Promise<BuiltImage> {
  const stages = new Map<string, Stage>();
  const ignored = dockerignore(readFileSync(join(context, '.dockerignore'), 'utf8'));
  const args: Record<string, string> = {};
  let stage: Stage | undefined;
  for (const { name, text } of instructions(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    if (name === 'ARG' && stage === undefined) {
      const [, key = '', value = ''] = /^(\w+)=(\S+)$/.exec(text) ?? [];
      args[key] = value;
      continue;
    }
    if (name === 'FROM') {
      const [, from = '', alias = String(stages.size)] = /^(?:--platform=\S+ )?(\S+)(?: AS (\S+))?$/i.exec(text) ?? [];
      const base = from.replace(/^\$(\w+)$/, (_, key: string) => args[key] ?? '');
      if (!BASES.includes(base))
        throw new Error(`FROM ${base}: another base image than the one that this Node stands for`);
      stage = {
        root: join(folder, alias),
        workdir: '/',
        user: 'root',
        command: [],
        healthCheck: [],
        env: {},
        labels: {},
        volumes: [],
      };
      mkdirSync(stage.root, { recursive: true });
      stages.set(alias, stage);
      continue;
    }
    if (stage === undefined) throw new Error(`${name} before FROM`);
    await follow(stage, { name, text, context, ignored, stages });
  }
  if (stage === undefined) throw new Error('no FROM');
  return stage;
}

async function follow(
  stage: Stage,
  {
    name,
    text,
    context,
    ignored,
    stages,
  }: {
    readonly name: string;
    readonly text: string;
    readonly context: string;
    readonly ignored: (path: string) => boolean;
    readonly stages: ReadonlyMap<string, Stage>;
  },
): Promise<void> {
  const at = (path: string): string => join(stage.root, posix.resolve(stage.workdir, path));
  switch (name) {
    case 'WORKDIR':
      stage.workdir = posix.resolve(stage.workdir, text);
      mkdirSync(at('.'), { recursive: true });
      return;
    case 'ENV':
      for (const [, key = '', value = ''] of text.matchAll(/(\w+)=(\S+)/g)) stage.env[key] = value;
      return;
    case 'USER':
      stage.user = text;
      return;
    case 'EXPOSE':
      return;
    case 'ENTRYPOINT':
      if (text !== '[]') throw new Error(`ENTRYPOINT ${text} is not followed here`);
      return;
    case 'HEALTHCHECK':
      stage.healthCheck = JSON.parse(text.slice(text.indexOf('['))) as string[];
      return;
    case 'LABEL':
      for (const [, key = '', value = ''] of text.matchAll(/(\S+)="([^"]*)"/g)) stage.labels[key] = value;
      return;
    case 'VOLUME':
      stage.volumes.push(text);
      return;
    case 'CMD':
      stage.command = JSON.parse(text) as string[];
      return;
    case 'COPY': {
      const from = /^--from=(\S+) /.exec(text)?.[1];
      const paths = text.replace(/^(?:--(?:from|chown)=\S+ )*/, '').split(/\s+/);
      const to = paths.pop()!;
      const source = from === undefined ? context : stages.get(from)!.root;
      for (const path of paths)
        copy(join(source, path), {
          to: to.endsWith('/') && statSync(join(source, path)).isFile() ? join(at(to), posix.basename(path)) : at(to),
          keep: (file) => from !== undefined || !ignored(posix.relative(source, file)),
        });
      return;
    }
    case 'RUN':
      await run('sh', ['-ec', text], {
        cwd: at('.'),
        env: { ...stage.env, PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}` },
      });
      return;
    default:
      throw new Error(`${name} is not followed here`);
  }
}

/** Of whom the copies are is left out: this may not be root. */
function copy(from: string, { to, keep }: { readonly to: string; readonly keep: (file: string) => boolean }): void {
  if (!existsSync(from)) throw new Error(`COPY ${from}: there is no such file`);
  if (!statSync(from).isDirectory()) {
    if (!keep(from)) throw new Error(`COPY ${from}: .dockerignore leaves it out`);
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to);
    return;
  }
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const file = join(from, entry.name);
    if (entry.isSymbolicLink()) {
      if (!keep(file)) continue;
      mkdirSync(to, { recursive: true });
      symlinkSync(readlinkSync(file), join(to, entry.name));
    } else if (entry.isDirectory()) {
      if (entry.name !== 'node_modules' || keep(file)) copy(file, { to: join(to, entry.name), keep });
    } else if (keep(file)) {
      mkdirSync(to, { recursive: true });
      cpSync(file, join(to, entry.name));
    }
  }
}

/** Instructions with their continuation lines joined. */
function instructions(text: string): { readonly name: string; readonly text: string }[] {
  const lines = text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n');
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => ({ name: line.slice(0, line.indexOf(' ')), text: line.slice(line.indexOf(' ') + 1).trim() }));
}

/** The last pattern that matches a path, or a directory above it, decides. */
function dockerignore(text: string): (path: string) => boolean {
  const patterns = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
  return (path) => {
    const parts = path.split('/');
    const above = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    let out = false;
    for (const pattern of patterns) {
      const glob = pattern.replace(/^!/, '');
      if (above.some((name) => matchesGlob(name, glob))) out = !pattern.startsWith('!');
    }
    return out;
  };
}
